import type { RetryEntry } from '../../toncenter/follow/retry-queue.js'
import type { WatcherMemory } from './memory.js'
import type { ResolvedWatcherOptions } from './options.js'
import { readProgress } from './stored-progress.js'

/** Age from which a complete run counts as that of another server, which holds the lease. */
const OWN_MS = 10_000

/**
 * Returns the chain time up to which the wallets are scanned without a gap and all transfers are explained: by the last run
 * of this process, or by what the cursor stores of another one.
 */
export async function checkedUntil(
  { clock, cursor, payments }: Pick<ResolvedWatcherOptions, 'clock' | 'cursor' | 'payments'>,
  memory: Pick<WatcherMemory, 'checkedUntil' | 'completeAtMs'>,
): Promise<number | undefined> {
  const own = memory.checkedUntil
  if (own !== undefined && clock.nowMs() - memory.completeAtMs < OWN_MS) return own
  const { name, scannedTo, retry = [] } = readProgress(await cursor.load())
  if (scannedTo === undefined || name !== payments.name) return own
  return Math.max(own ?? 0, settledUntil(scannedTo, retry))
}

/** Returns the time before the oldest transaction that is not explained. @param scannedTo Unix seconds */
export function settledUntil(scannedTo: number, retry: readonly RetryEntry[]): number {
  const unsettled = retry.map(([, utime]) => utime)
  return Math.min(scannedTo, ...unsettled.map((utime) => utime - 1))
}
