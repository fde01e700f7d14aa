import { backoffDelay } from '../shared/backoff.js'
import type { Clock } from '../shared/clock.js'
import type { Logger } from '../shared/logger.js'
import type { Candidate } from './scan.js'

/** A transaction that could not be explained yet, as plain data of the cursor's progress. */
export type RetryEntry = readonly [
  txHash: string,
  utime: number,
  attempts: number,
  nextAtMs: number,
]

/** Transactions that are retried one by one while the scan continues. */
export interface RetryQueue {
  readonly size: number
  has(txHash: string): boolean
  /** Adds a transaction, or postpones the one that was retried in vain. */
  defer(candidate: Candidate): void
  /** Removes a transaction that is explained. */
  settle(txHash: string): void
  /** Returns the transactions that are due, the longest waiting first, at most `limit`. */
  due(limit: number): Candidate[]
  /** Returns when the next one is due. */
  nextAtMs(): number | undefined
  entries(): RetryEntry[]
  /** Returns whether entries were added, postponed or removed since the last call. */
  takeChange(): boolean
}

const MAX_ENTRIES = 1000
const BACKOFF = { minDelayMs: 5000, maxDelayMs: 3_600_000 }
/** The delays before these attempts add up to one day. */
const MAX_ATTEMPTS = 33

/** Creates the queue of one run from the entries of the cursor. */
export function createRetryQueue(
  entries: readonly RetryEntry[],
  { clock, logger }: { clock: Clock; logger: Logger },
): RetryQueue {
  const queue = new Map(entries.slice(0, MAX_ENTRIES).map((entry) => [entry[0], entry]))
  let hasChanged = queue.size < entries.length
  const giveUp = ([txHash, utime, attempts]: RetryEntry, reason: string): void => {
    queue.delete(txHash)
    logger.error('transaction not explained; retries given up', {
      txHash,
      utime,
      attempts,
      reason,
    })
  }
  const dropLongest = (): void => {
    const [longest] = [...queue.values()].toSorted((one, other) => other[2] - one[2])
    if (longest !== undefined) giveUp(longest, `more than ${MAX_ENTRIES} transactions wait`)
  }
  return {
    get size() {
      return queue.size
    },
    has: (txHash) => queue.has(txHash),
    defer({ txHash, utime }) {
      const [, , former = 0] = queue.get(txHash) ?? []
      const attempts = former + 1
      hasChanged = true
      const entry: RetryEntry = [
        txHash,
        utime,
        attempts,
        clock.nowMs() + backoffDelay(BACKOFF, attempts),
      ]
      if (attempts > MAX_ATTEMPTS) {
        giveUp(entry, 'one day of attempts')
        return
      }
      if (former === 0 && queue.size >= MAX_ENTRIES) dropLongest()
      queue.set(txHash, entry)
    },
    settle(txHash) {
      if (queue.delete(txHash)) hasChanged = true
    },
    due(limit) {
      const nowMs = clock.nowMs()
      return [...queue.values()]
        .filter(([, , , nextAtMs]) => nextAtMs <= nowMs)
        .toSorted((one, other) => one[3] - other[3])
        .slice(0, limit)
        .map(([txHash, utime]) => ({ txHash, utime }))
    },
    nextAtMs() {
      const times = [...queue.values()].map(([, , , nextAtMs]) => nextAtMs)
      return times.length === 0 ? undefined : times.reduce((one, other) => Math.min(one, other))
    },
    entries: () => [...queue.values()],
    takeChange() {
      const changed = hasChanged
      hasChanged = false
      return changed
    },
  }
}
