import { z } from 'zod'
import type { Liteserver } from '../proof/liteserver.js'
import { TlReader } from '../proof/tl-reader.js'
import { systemClock, startTimer } from '../shared/clock.js'
import { lazy } from '../shared/lazy.js'
import { parseOptions, timerMs, type OptionSchemas } from '../shared/options.js'
import { openAdnl, type AdnlConnection, type LiteserverAddress } from './adnl-connection.js'
import { LiteserverError } from './liteserver-error.js'
import { tlBlockId, tlBytes, tlInt, tlLong } from './tl-writer.js'

const LITE_QUERY = 0x798c06df
const GET_BLOCK_PROOF = 0x8aea9c44
const GET_ACCOUNT_STATE = 0x6b890e25
const GET_TRANSACTIONS = 0x1c40e7a1
const ERROR = 0xbba9e148
const LONGEST_MESSAGE = 200

export interface LiteserverOptions extends LiteserverAddress {
  /** Milliseconds until a query without an answer fails. @default 10_000 */
  timeoutMs?: number | undefined
}

const SCHEMA = lazy(() =>
  z.strictObject({
    host: z.string().min(1),
    port: z.int().min(1).max(65_535),
    publicKey: z
      .string()
      .refine(
        (key) => Buffer.from(key, 'base64').length === 32,
        'must be 32 bytes in base64. Take `id.key` of the global configuration',
      ),
    timeoutMs: timerMs.default(10_000),
  } satisfies OptionSchemas<LiteserverOptions>),
)

/** A liteserver whose connection can be closed. */
export interface ConnectedLiteserver extends Liteserver {
  /** Closes the connection. Pending queries fail; the next one opens another connection. */
  close(): void
}

/**
 * Creates a client of a liteserver, by ADNL over TCP. It connects at the first query, again after the connection was lost, and
 * does not keep the process alive. It checks nothing that it receives: `signedBlocks` does.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * import { connectLiteserver } from '@tonplug/core/liteserver'
 *
 * const liteserver = connectLiteserver({
 *   host: 'liteserver.example',
 *   port: 43_679,
 *   publicKey: process.env.LITESERVER_KEY ?? '',
 * })
 * ```
 */
export function connectLiteserver(options: LiteserverOptions): ConnectedLiteserver {
  const { timeoutMs, ...address } = parseOptions(SCHEMA(), options)
  let connection: AdnlConnection | undefined

  /** A server that does not answer in time is asked on another connection the next time. */
  async function ask(signal: AbortSignal, ...query: readonly Uint8Array[]): Promise<Uint8Array> {
    signal.throwIfAborted()
    if (connection?.isOpen !== true) connection = openAdnl(address)
    const current = connection
    const stop = startTimer(systemClock, timeoutMs, () =>
      current.close(`does not answer within ${timeoutMs} ms`),
    )
    try {
      const bytes = tlBytes(Buffer.concat(query))
      return readAnswer(await current.query(Buffer.concat([tlInt(LITE_QUERY), bytes]), signal))
    } finally {
      stop()
    }
  }

  return {
    getBlockProof: (known, { signal }) =>
      ask(signal, tlInt(GET_BLOCK_PROOF), tlInt(0), tlBlockId(known)),
    getAccountState: ({ block, account: { workchain, hash } }, { signal }) =>
      ask(signal, tlInt(GET_ACCOUNT_STATE), tlBlockId(block), tlInt(workchain), hash),
    getTransactions: ({ account: { workchain, hash }, last, count }, { signal }) =>
      ask(
        signal,
        tlInt(GET_TRANSACTIONS),
        tlInt(count),
        tlInt(workchain),
        hash,
        tlLong(last.lt),
        last.hash,
      ),
    close() {
      connection?.close('was closed')
      connection = undefined
    },
  }
}

/** @throws {LiteserverError} for an error of the server. */
function readAnswer(bytes: Uint8Array): Uint8Array {
  const reader = new TlReader(bytes)
  if (bytes.length < 4 || reader.uint() !== ERROR) return bytes
  const code = reader.int()
  const message = Buffer.from(reader.bytes()).toString().slice(0, LONGEST_MESSAGE)
  throw new LiteserverError(`the liteserver returned the error ${code}: ${message}`, { code })
}
