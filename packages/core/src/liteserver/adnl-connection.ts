import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { untilAborted } from '../shared/abort.js'
import { TlReader } from '../proof/tl-reader.js'
import { agreeWith } from './key-agreement.js'
import {
  createAdnlSession,
  PARAMETER_BYTES,
  writeHandshake,
  type AdnlSession,
} from './adnl-session.js'
import { LiteserverError } from './liteserver-error.js'
import { tlBytes, tlInt } from './tl-writer.js'

const QUERY = 0xb48bf97a
const ANSWER = 0x0fac8416

/** A place in the network, and the key of the server there. */
export interface LiteserverAddress {
  host: string
  port: number
  /** Its Ed25519 key, 32 bytes in base64: `id.key` of the network's global configuration. */
  publicKey: string
}

interface Waiting {
  resolve: (answer: Uint8Array) => void
  reject: (error: LiteserverError) => void
}

/** A connection to a server of ADNL over TCP. */
export interface AdnlConnection {
  readonly isOpen: boolean
  /** Sends a query. @throws {LiteserverError} when the connection ends, and the signal's reason. */
  query(query: Uint8Array, signal: AbortSignal): Promise<Uint8Array>
  /** Pending queries fail with the reason. */
  close(reason: string): void
}

/** Opens a connection. Queries wait until the server has accepted it. It does not keep the process alive. */
export function openAdnl({ host, port, publicKey }: LiteserverAddress): AdnlConnection {
  const serverKey = Buffer.from(publicKey, 'base64')
  const { publicKey: clientKey, secret } = agreeWith(serverKey)
  const parameters = randomBytes(PARAMETER_BYTES)
  const session = createAdnlSession(parameters)
  const waiting = new Map<string, Waiting>()
  let isOpen = true
  const socket = connect({ host, port })
  socket.unref()
  socket.setNoDelay(true)
  const end = (reason: string, cause?: unknown): void => {
    isOpen = false
    socket.destroy()
    const error = new LiteserverError(`the liteserver ${host}:${port} ${reason}`, { cause })
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  socket.on('error', (error) => end(`cannot be reached: ${error.message}`, error))
  socket.on('close', () => end('has closed the connection'))
  socket.on('data', (bytes) => {
    try {
      for (const payload of session.read(bytes)) settle(payload, waiting)
    } catch (error) {
      end('has sent a packet that cannot be read', error)
    }
  })
  socket.write(writeHandshake({ serverKey, clientKey, secret, parameters }))
  return {
    get isOpen() {
      return isOpen
    },
    query: (query, signal) => send({ socket, session, waiting }, query, signal),
    close: (reason) => end(reason),
  }
}

/** An empty packet accepts the connection; others than answers are of no interest. */
function settle(payload: Uint8Array, waiting: Map<string, Waiting>): void {
  if (payload.length === 0) return
  const reader = new TlReader(payload)
  if (reader.uint() !== ANSWER) return
  const id = Buffer.from(reader.take(32)).toString('hex')
  const answer = reader.bytes()
  reader.end()
  waiting.get(id)?.resolve(answer)
}

function send(
  {
    socket,
    session,
    waiting,
  }: { socket: Socket; session: AdnlSession; waiting: Map<string, Waiting> },
  query: Uint8Array,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const id = randomBytes(32)
  const key = id.toString('hex')
  const answer = new Promise<Uint8Array>((resolve, reject) => {
    waiting.set(key, { resolve, reject })
    socket.write(session.write(Buffer.concat([tlInt(QUERY), id, tlBytes(query)])))
  })
  return untilAborted(answer, signal).finally(() => waiting.delete(key))
}
