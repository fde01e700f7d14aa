import { attempt } from '../orders/checked-repository.js'
import { DEFAULT_NAME } from './handler-registry.js'
import type { Inbox } from './inbox.js'

/** The money of a payment, and the order that it is to pay. */
export interface CreditClaim {
  /** The receiver's name: another one may have orders of its own by the same references. */
  receiver: string
  reference: string
  /** In a fixed order, so that all claim them in it. */
  credits: readonly string[]
}

/**
 * Claims all that arrived with a payment for one order, for ever.
 * @returns whether it is the order's: nobody had claimed it, or the order had.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function claimCredits(
  claimPayment: NonNullable<Inbox['claimPayment']>,
  { receiver, reference, credits }: CreditClaim,
): Promise<boolean> {
  const order = receiver === DEFAULT_NAME ? reference : JSON.stringify([receiver, reference])
  for (const payment of credits) {
    const claim = { payment, reference: order }
    const holder = await attempt('inbox.claimPayment', () => claimPayment(claim))
    if (holder !== order) return false
  }
  return true
}
