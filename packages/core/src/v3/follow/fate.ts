import type { Readiness } from '../paging/timed-list.js'

/** What becomes of a row: delivered, left to a later reading, kept from being passed, or passed. */
export type Fate = 'deliver' | 'leave' | 'hold' | 'give up'

/** Seconds of the chain that a row in a block which is not final yet is waited for at least. */
const CONFIRMED_SECONDS = 60
/** Seconds of the chain that a pending row is waited for at least. The chain settles what it takes within a minute. */
const PENDING_SECONDS = 600

/** What becomes of a row. @param at its age and the follow's overlap, seconds of the chain */
export function fateOf(
  readiness: Readiness,
  { age, overlapSeconds }: { age: number; overlapSeconds: number },
): Fate {
  switch (readiness) {
    case 'ready':
      return 'deliver'
    case 'confirmed':
      // It has been listed all the while, so its block stays.
      return age > Math.max(overlapSeconds, CONFIRMED_SECONDS) ? 'deliver' : 'hold'
    case 'pending':
      return age > Math.max(overlapSeconds, PENDING_SECONDS) ? 'give up' : 'hold'
    case 'growing':
      return 'leave'
    case 'bare':
      // It is not read again.
      return age > overlapSeconds ? 'deliver' : 'leave'
  }
}
