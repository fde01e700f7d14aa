import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  randomBytes,
} from 'node:crypto'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import type { BlockId, Liteserver } from '@tonplug/core/proof'
import { onTestFinished } from 'vitest'
import { tlBytes, tlInt } from '@tonplug/simulator/internal'

/** A server that speaks ADNL over TCP, written from the description of the protocol. */
export interface FakeLiteserver {
  port: number
  /** Base64. */
  publicKey: string
  /** The connections so far. */
  connections: Socket[]
  /** Returns the answer to a query instead of the server's own; `undefined` for none. */
  answer: (query: Buffer) => Promise<Buffer | undefined>
}

const sha256 = (...parts: Uint8Array[]): Buffer =>
  createHash('sha256').update(Buffer.concat(parts)).digest()
const P = (1n << 255n) - 19n

/** The inverse by the algorithm of Euclid. */
function inverse(value: bigint): bigint {
  let [a, b, x, y] = [((value % P) + P) % P, P, 1n, 0n]
  while (a > 1n) {
    const quotient = a / b
    ;[a, b] = [b, a % b]
    ;[x, y] = [y, x - quotient * y]
  }
  return ((x % P) + P) % P
}

/** Returns the key of X25519 for a key of Ed25519. */
function toX25519(key: Buffer): Buffer {
  let y = 0n
  for (const [index, byte] of key.entries()) y += BigInt(byte) << BigInt(8 * index)
  y &= (1n << 255n) - 1n
  let u = ((1n + y) * inverse(1n - y)) % P
  const bytes = Buffer.alloc(32)
  for (let index = 0; index < 32; index++) {
    bytes[index] = Number(u & 255n)
    u >>= 8n
  }
  return bytes
}

/** Reads numbers and bytes of TL in sequence. */
function readerOf(bytes: Buffer) {
  let at = 0
  const take = (length: number): Buffer => bytes.subarray(at, (at += length))
  return {
    take,
    int: () => take(4).readInt32LE(),
    long: () => take(8).readBigUInt64LE(),
    bytes() {
      const first = take(1)[0]!
      const length = first === 254 ? take(3).readUIntLE(0, 3) : first
      const content = take(length)
      take((4 - ((length + (first === 254 ? 4 : 1)) % 4)) % 4)
      return content
    },
  }
}

function readBlock(reader: ReturnType<typeof readerOf>): BlockId {
  const [workchain, shard, seqno] = [reader.int(), reader.long(), reader.int()]
  return { workchain, shard, seqno, rootHash: reader.take(32), fileHash: reader.take(32) }
}

/** Answers the three queries by a liteserver in this process. */
export function answersOf(server: Liteserver) {
  return async (query: Buffer): Promise<Buffer> => {
    const { signal } = new AbortController()
    const reader = readerOf(query)
    const tag = reader.int() >>> 0
    if (tag === 0x8aea9c44) {
      if (reader.int() !== 0) throw new TypeError('expected mode 0')
      return Buffer.from(await server.getBlockProof(readBlock(reader), { signal }))
    }
    if (tag === 0x6b890e25) {
      const block = readBlock(reader)
      const account = { workchain: reader.int(), hash: reader.take(32) }
      return Buffer.from(await server.getAccountState({ block, account }, { signal }))
    }
    if (tag !== 0x1c40e7a1) throw new TypeError('an unknown query')
    const count = reader.int()
    const account = { workchain: reader.int(), hash: reader.take(32) }
    const lt = reader.long()
    const last = { lt, hash: reader.take(32) }
    return Buffer.from(await server.getTransactions({ account, last, count }, { signal }))
  }
}

/** Starts a server until the test ends. */
export async function startFakeLiteserver(
  answer: FakeLiteserver['answer'],
): Promise<FakeLiteserver> {
  const pair = generateKeyPairSync('ed25519')
  const seed = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const scalar = createHash('sha512').update(seed).digest().subarray(0, 32)
  const fake: FakeLiteserver = {
    port: 0,
    publicKey: publicKey.toString('base64'),
    connections: [],
    answer,
  }
  const server = createServer((socket) => {
    fake.connections.push(socket)
    socket.on('error', () => undefined)
    serve(socket, fake, { publicKey, scalar })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  fake.port = (server.address() as AddressInfo).port
  onTestFinished(() => {
    for (const socket of fake.connections) socket.destroy()
    server.close()
  })
  return fake
}

function serve(
  socket: Socket,
  fake: FakeLiteserver,
  keys: { publicKey: Buffer; scalar: Buffer },
): void {
  let received = Buffer.alloc(0)
  let session: ReturnType<typeof accept> | undefined
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    if (session === undefined) {
      if (received.length < 256) return
      session = accept(received.subarray(0, 256), keys)
      received = received.subarray(256)
      socket.write(session.write(Buffer.alloc(0)))
      session.push(received)
    } else {
      session.push(bytes)
    }
    for (const payload of session.payloads()) {
      const opened = session
      const reader = readerOf(payload)
      if (reader.int() >>> 0 !== 0xb48bf97a) throw new TypeError('expected a query')
      const id = reader.take(32)
      const inner = readerOf(reader.bytes())
      if (inner.int() !== 0x798c06df) throw new TypeError('expected a query of a liteserver')
      void fake.answer(inner.bytes()).then((answer) => {
        if (answer === undefined) return
        socket.write(opened.write(Buffer.concat([tlInt(0x0fac8416), id, tlBytes(answer)])))
      })
    }
  })
}

/** Reads the handshake, and returns the session of the server. */
function accept(handshake: Buffer, { publicKey, scalar }: { publicKey: Buffer; scalar: Buffer }) {
  const id = sha256(Buffer.from('c6b41348', 'hex'), publicKey)
  if (!handshake.subarray(0, 32).equals(id)) throw new TypeError('the key of another server')
  const der = (prefix: string, key: Buffer): Buffer =>
    Buffer.concat([Buffer.from(prefix, 'hex'), key])
  const secret = diffieHellman({
    privateKey: createPrivateKey({
      key: der('302e020100300506032b656e04220420', scalar),
      format: 'der',
      type: 'pkcs8',
    }),
    publicKey: createPublicKey({
      key: der('302a300506032b656e032100', toX25519(handshake.subarray(32, 64))),
      format: 'der',
      type: 'spki',
    }),
  })
  const hash = handshake.subarray(64, 96)
  const key = Buffer.concat([secret.subarray(0, 16), hash.subarray(16, 32)])
  const iv = Buffer.concat([hash.subarray(0, 4), secret.subarray(20, 32)])
  const params = createCipheriv('aes-256-ctr', key, iv).update(handshake.subarray(96))
  if (!sha256(params).equals(hash)) throw new TypeError('a wrong secret')
  // The names are the client's: it receives by the first key.
  const toClient = createCipheriv('aes-256-ctr', params.subarray(0, 32), params.subarray(64, 80))
  const fromClient = createCipheriv('aes-256-ctr', params.subarray(32, 64), params.subarray(80, 96))
  let plain = Buffer.alloc(0)
  return {
    push: (bytes: Buffer) => void (plain = Buffer.concat([plain, fromClient.update(bytes)])),
    payloads(): Buffer[] {
      const found: Buffer[] = []
      while (plain.length >= 4 && plain.length >= 4 + plain.readUInt32LE()) {
        const size = plain.readUInt32LE()
        const content = plain.subarray(4, 4 + size - 32)
        if (!sha256(content).equals(plain.subarray(4 + size - 32, 4 + size))) {
          throw new TypeError('a wrong hash')
        }
        found.push(content.subarray(32))
        plain = plain.subarray(4 + size)
      }
      return found
    },
    write(payload: Buffer): Buffer {
      const nonce = randomBytes(32)
      const size = tlInt(64 + payload.length)
      return toClient.update(Buffer.concat([size, nonce, payload, sha256(nonce, payload)]))
    },
  }
}
