import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { StoredCredit } from '../inbox/inbox-credits.js'

/**
 * Claims the money of these credits again if a refund was sent after it was released.
 * @throws what API v3 throws: then nothing is known.
 */
export type ClaimLateRefunds = (released: readonly StoredCredit[]) => Promise<void>

/** The store, and the look at the chain. */
export interface LateRefundOptions {
  inbox: Pick<CheckedInbox, 'credits'>
  claimLateRefunds: ClaimLateRefunds
}

/**
 * Looks, before an order claims credits, for late refunds that have returned them: a wallet may ignore the end of a request.
 * @throws what {@link ClaimLateRefunds} throws, so that the order waits.
 */
export async function checkLateRefunds(
  { inbox, claimLateRefunds }: LateRefundOptions,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const released = (await inbox.credits.find({ ids })).filter(
    ({ uses, releasedRefunds }) => uses.length === 0 && releasedRefunds !== undefined,
  )
  if (released.length > 0) await claimLateRefunds(released)
}
