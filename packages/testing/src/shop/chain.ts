import { createHash } from 'node:crypto'
import { hashCell, writeBoc, type Cell } from '../gateway/cell.js'

/** Time between two blocks. */
const BLOCK_SECONDS = 2
const FEE = 1_000_000n
/** The start of the body of a returned message, and how much of the body follows. */
const [RETURNED, RETURNED_BITS] = ['1'.repeat(32), 256]

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
  /** True for a message that returns another one. */
  isReturned: boolean
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
  /** True if its contract failed, and the message was returned. */
  isAborted: boolean
}

/** The transactions that one external message caused; the first one is the sender's. */
export interface ChainTrace {
  id: string
  transactions: ChainTransaction[]
}

/** The body of a message. */
export interface Body {
  hash: string
  boc: string
  cell: Cell
}

/** A message to send, and the messages that its recipient sends on. */
export interface Step {
  to: string
  value: bigint
  body: Body
  next: readonly Step[]
  /** True for a recipient that does not accept the message, and returns it. */
  isRefused?: boolean
}

/** Messages that a wallet sends in one transaction. */
export interface Sent {
  from: string
  steps: readonly Step[]
  /** Delays after which the index shows the transactions, the sender's first. The last one is that of all further ones. */
  lagsMs: readonly number[]
}

/** Returns a body with its hash. */
export function messageBody(cell: Cell): Body {
  return { hash: hashCell(cell).toString('base64'), boc: writeBoc(cell), cell }
}

/** A chain of wallets. Each transfer is one trace, and each message one transaction of its recipient. */
export class SimulatedChain {
  readonly transactions: ChainTransaction[] = []
  /** The last transactions, by their accounts. */
  readonly #last = new Map<string, ChainTransaction>()
  #lt = 1_000_000n

  /** Sends messages, which may be equal. */
  send({ from, steps, lagsMs }: Sent, nowMs: number): ChainTrace {
    const trace: ChainTrace = { id: '', transactions: [] }
    const add = (account: string, received: ChainMessage): ChainTransaction => {
      const lagMs = lagsMs[trace.transactions.length] ?? lagsMs.at(-1) ?? 0
      return this.#add(account, { received, trace, nowMs, lagMs })
    }
    const [first] = steps
    const root = add(from, this.#message(undefined, { ...first, to: from, value: 0n }))
    trace.id = root.hash
    const pass = (sender: ChainTransaction, next: readonly Step[]): void => {
      sender.sent = next.map((step) => this.#message(sender.account, step))
      const reached = sender.sent.map((message) => add(message.destination, message))
      for (const [place, one] of reached.entries()) {
        const step = next[place]
        if (step?.isRefused === true) giveBack(one, step)
        else pass(one, step?.next ?? [])
      }
    }
    const giveBack = (by: ChainTransaction, { value, body: { cell } }: Step): void => {
      const body = messageBody({ bits: RETURNED + cell.bits.slice(0, RETURNED_BITS), refs: [] })
      const to = by.received.source ?? ''
      const returned = this.#message(by.account, { to, value, body })
      returned.isReturned = true
      Object.assign(by, { isAborted: true, sent: [returned] })
      add(to, returned)
    }
    pass(root, steps)
    return trace
  }

  /** Returns the trace that messages would have, without sending them. */
  invent(sent: Sent, nowMs: number): ChainTrace {
    const trace = this.send(sent, nowMs)
    this.transactions.length -= trace.transactions.length
    for (const { account, previous } of trace.transactions.toReversed()) {
      if (previous === undefined) this.#last.delete(account)
      else this.#last.set(account, previous)
    }
    return trace
  }

  #add(
    account: string,
    given: Pick<ChainTransaction, 'received' | 'trace'> & { nowMs: number; lagMs: number },
  ): ChainTransaction {
    const { received, trace, nowMs, lagMs } = given
    const utime = Math.floor(nowMs / 1000)
    const lt = (this.#lt += 2n)
    const hash = digest(`transaction ${lt}`)
    const indexedAtMs = nowMs + BLOCK_SECONDS * 1000 + lagMs
    const previous = this.#last.get(account)
    const state = { previous, indexedAtMs, isAborted: false }
    const one = { hash, account, lt, utime, received, sent: [], trace, ...state }
    this.#last.set(account, one)
    trace.transactions.push(one)
    this.transactions.push(one)
    return one
  }

  #message(
    source: string | undefined,
    { to, value, body }: Pick<Step, 'to' | 'value'> & { body?: Body },
  ): ChainMessage {
    const createdLt = (this.#lt += 1n)
    const { hash: bodyHash = '', boc: bodyBoc = '' } = body ?? {}
    const hash = digest(`message ${createdLt}`)
    const facts = { bodyHash, bodyBoc, createdLt, isReturned: false }
    return { hash, source, destination: to, value, ...facts }
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
