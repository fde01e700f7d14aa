import { BoundedMap } from '../shared/bounded-map.js'
import type { Clock } from '../shared/clock.js'

/** After this time without a report, a payment that was seen is not expected any more. */
const SEEN_MS = 120_000
const MAX_ORDERS = 10_000

/** Orders whose payments a push source has seen before they are final. They may never arrive. */
export interface SeenPayments {
  set(order: string, isSeen: boolean): void
  has(order: string): boolean
}

export function createSeenPayments(clock: Clock): SeenPayments {
  const untilMs = new BoundedMap<string, number>(MAX_ORDERS)
  return {
    set(order, isSeen) {
      if (isSeen) untilMs.set(order, clock.nowMs() + SEEN_MS)
      else untilMs.delete(order)
    },
    has: (order) => (untilMs.get(order) ?? -Infinity) > clock.nowMs(),
  }
}
