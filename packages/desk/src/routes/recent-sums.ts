import type { Clock } from '@tonplug/core'
import type { InboxSums, Operator } from '@tonplug/core/operator'

/** A sum reads every payment of its period, and pages ask for it again and again. */
const MAX_AGE_MS = 60_000
const MAX_KNOWN = 100
const DAY_MS = 86_400_000

/** Sums what has arrived since a moment, at most once a minute. */
export type RecentSums = (from: Date) => Promise<InboxSums>

/** Creates a reader that all operators of a process share. A failure is not remembered. */
export function createRecentSums({
  operator,
  clock,
}: {
  operator: Pick<Operator, 'sums'>
  clock: Clock
}): RecentSums {
  const known = new Map<number, { atMs: number; sums: Promise<InboxSums> }>()
  return (from) => {
    const key = from.getTime()
    const nowMs = clock.nowMs()
    const former = known.get(key)
    if (former !== undefined && nowMs - former.atMs < MAX_AGE_MS) return former.sums
    if (known.size >= MAX_KNOWN) known.clear()
    // Clocks differ by seconds.
    const sums = operator.sums({ from, before: new Date(nowMs + DAY_MS) })
    known.set(key, { atMs: nowMs, sums })
    sums.catch(() => known.delete(key))
    return sums
  }
}
