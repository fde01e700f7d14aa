import type { ResolvedWatcherOptions } from './options.js'
import { RetryQueue } from './retry-queue.js'
import { settlingOf, type RunState } from './run-once.js'
import { settleCandidates } from './settle-candidates.js'

/**
 * Submits the payments of some transactions, at most 50, by one request for their traces. Neither reads nor moves the
 * cursor: a scan finds what is missing here.
 * @param hashes in base64
 * @returns those that the index does not have yet, or not completely.
 * @throws what API v3 and the stores throw, and the signal's reason.
 */
export async function lookUpTransactions(
  options: ResolvedWatcherOptions,
  { tally, signal, memory }: Pick<RunState, 'tally' | 'signal' | 'memory'>,
  hashes: readonly string[],
): Promise<string[]> {
  const wanted = hashes.filter((hash) => !memory.looked.has(hash) && !memory.seen.has(hash))
  if (wanted.length === 0) return []
  await memory.openOrders.addNew()
  // They are not retried for a day, as those of a scan are.
  const retries = new RetryQueue([], options)
  const request = { priority: 'low', signal } as const
  const looked = new Set<string>()
  const settling = settlingOf(options, {
    memory: { ...memory, looked },
    tally,
    request,
    retries,
    isThorough: false,
    // The next thorough scan reports transfers that name no order.
    head: 0,
  })
  const candidates = wanted.map((txHash) => ({ txHash, utime: 0 }))
  await settleCandidates(settling, candidates)
  for (const hash of looked) if (!retries.has(hash)) memory.looked.add(hash)
  const failure = settling.storeFailures.first
  if (failure !== undefined) throw failure.error
  return wanted.filter((hash) => retries.has(hash))
}
