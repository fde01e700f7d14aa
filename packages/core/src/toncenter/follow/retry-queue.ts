import type { Logger } from '../../shared/logger.js'
import { backoffDelay } from '../../shared/timers.js'
import type { Clock } from '../../shared/clock.js'

/** A transaction that may belong to a payment. */
export interface Candidate {
  txHash: string
  /** Unix seconds. */
  utime: number
}

/** A transaction to retry, as it is stored. */
export type RetryEntry = [txHash: string, utime: number, attempts: number, nextAtMs: number]

const MAX_ENTRIES = 1000
const BACKOFF = { minDelayMs: 5000, maxDelayMs: 3_600_000 }
/** The delays before these attempts add up to one day. */
const MAX_ATTEMPTS = 33

/** Transactions that cannot be read yet, and are retried one by one while the position moves on. Stored with the cursor. */
export class RetryQueue {
  /** True when entries were added, postponed or removed since the last save. */
  hasChanged: boolean
  readonly #options: { clock: Clock; logger: Logger }
  /** Entries by transaction hash. */
  readonly #entries: Map<string, RetryEntry>

  /** @param entries from the cursor */
  constructor(entries: readonly RetryEntry[], options: { clock: Clock; logger: Logger }) {
    this.#options = options
    this.#entries = new Map(entries.slice(0, MAX_ENTRIES).map((entry) => [entry[0], entry]))
    this.hasChanged = this.#entries.size < entries.length
  }

  get size(): number {
    return this.#entries.size
  }

  has(txHash: string): boolean {
    return this.#entries.has(txHash)
  }

  entries(): RetryEntry[] {
    return [...this.#entries.values()]
  }

  /** Adds a transaction, or postpones it after a retry in vain. */
  defer({ txHash, utime }: Candidate): void {
    const [, , former = 0] = this.#entries.get(txHash) ?? []
    const attempts = former + 1
    const nextAtMs = this.#options.clock.nowMs() + backoffDelay(BACKOFF, attempts)
    const entry: RetryEntry = [txHash, utime, attempts, nextAtMs]
    this.hasChanged = true
    if (attempts > MAX_ATTEMPTS) {
      this.#giveUp(entry, 'one day of attempts')
      return
    }
    if (former === 0 && this.#entries.size >= MAX_ENTRIES) this.#dropLongest()
    this.#entries.set(txHash, entry)
  }

  /** Removes a transaction that is explained. */
  settle(txHash: string): void {
    if (this.#entries.delete(txHash)) this.hasChanged = true
  }

  /** Returns the transactions that are due, the longest waiting first, at most `limit`. */
  due(limit: number): Candidate[] {
    const nowMs = this.#options.clock.nowMs()
    return this.entries()
      .filter(([, , , nextAtMs]) => nextAtMs <= nowMs)
      .toSorted((one, other) => one[3] - other[3])
      .slice(0, limit)
      .map(([txHash, utime]) => ({ txHash, utime }))
  }

  /** Returns when the next one is due. */
  nextAtMs(): number | undefined {
    const times = this.entries().map(([, , , nextAtMs]) => nextAtMs)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  #dropLongest(): void {
    const [longest] = this.entries().toSorted((one, other) => other[2] - one[2])
    if (longest !== undefined) this.#giveUp(longest, `more than ${MAX_ENTRIES} transactions wait`)
  }

  #giveUp([txHash, utime, attempts]: RetryEntry, reason: string): void {
    this.#entries.delete(txHash)
    const facts = { txHash, utime, attempts, reason }
    this.#options.logger.error('transaction not explained; retries given up', facts)
  }
}
