import { createHash } from 'node:crypto'
import { hashCell, writeBoc, type Cell } from '../gateway/cell.js'

/** Time between two blocks. */
const BLOCK_SECONDS = 2
const FEE = 1_000_000n

/** A message of a simulated chain. Hashes are in base64. */
export interface ChainMessage {
  hash: string
  /** Absent for an external message. */
  source: string | undefined
  destination: string
  value: bigint
  createdLt: bigint
  bodyHash: string
  bodyBoc: string
}

/** A transaction of a simulated chain. */
export interface ChainTransaction {
  hash: string
  account: string
  lt: bigint
  /** Unix seconds. */
  utime: number
  received: ChainMessage
  sent: ChainMessage[]
  trace: ChainTrace
  /** The account's transaction before it. */
  previous: ChainTransaction | undefined
  /** When the index shows it, milliseconds since the Unix epoch. */
  indexedAtMs: number
}

/** The transactions that one external message caused; the first one is the sender's. */
export interface ChainTrace {
  id: string
  transactions: ChainTransaction[]
}

/** Messages that a wallet sends in one transaction. */
export interface Sent {
  from: string
  to: string
  value: bigint
  body: { hash: string; boc: string }
  times: number
  /** Delays after which the index shows the transactions, the sender's first. */
  lagsMs: readonly number[]
}

/** Returns a body with its hash. */
export function messageBody(cell: Cell): Sent['body'] {
  return { hash: hashCell(cell).toString('base64'), boc: writeBoc(cell) }
}

/**
 * A chain of wallets without contracts: each transfer is a trace of the sender's transaction and one of the recipient for
 * each message.
 */
export class SimulatedChain {
  readonly transactions: ChainTransaction[] = []
  /** The last transactions, by their accounts. */
  readonly #last = new Map<string, ChainTransaction>()
  #lt = 1_000_000n

  /** Sends a message, or several equal ones. */
  send({ from, to, value, body, times, lagsMs }: Sent, nowMs: number): ChainTrace {
    const utime = Math.floor(nowMs / 1000)
    const trace: ChainTrace = { id: '', transactions: [] }
    const add = (account: string, received: ChainMessage): ChainTransaction => {
      const lt = (this.#lt += 2n)
      const hash = digest(`transaction ${lt}`)
      const lagMs = lagsMs[trace.transactions.length] ?? 0
      const indexedAtMs = nowMs + BLOCK_SECONDS * 1000 + lagMs
      const previous = this.#last.get(account)
      const one = { hash, account, lt, utime, received, sent: [], trace, previous, indexedAtMs }
      this.#last.set(account, one)
      trace.transactions.push(one)
      this.transactions.push(one)
      return one
    }
    const message = (source: string | undefined, destination: string): ChainMessage => {
      const createdLt = (this.#lt += 1n)
      const content = { bodyHash: body.hash, bodyBoc: body.boc, createdLt }
      const coins = source === undefined ? 0n : value
      return { hash: digest(`message ${createdLt}`), source, destination, value: coins, ...content }
    }
    const root = add(from, message(undefined, from))
    trace.id = root.hash
    root.sent = Array.from({ length: times }, () => message(from, to))
    for (const one of root.sent) add(to, one)
    return trace
  }
}

/** Returns the fees of a transaction, nanocoins. */
export function feesOf(): bigint {
  return FEE
}

/** Returns the number of the masterchain block of a time. */
export function blockOf(utime: number): number {
  return Math.floor(utime / BLOCK_SECONDS)
}

/** Returns the time of the newest block, Unix seconds. */
export function headOf(nowMs: number): number {
  return Math.floor(nowMs / 1000 / BLOCK_SECONDS) * BLOCK_SECONDS - BLOCK_SECONDS
}

/** Returns a hash in base64. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** Returns a hash in lower-case hex. */
export function toHex(hash: string): string {
  return Buffer.from(hash, 'base64').toString('hex')
}
