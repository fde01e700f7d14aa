import { RepositoryError } from '../errors/repository.js'
import { attempt } from '../orders/checked-repository.js'
import { DEFAULT_NAME } from './handler-registry.js'
import type { Inbox } from './inbox.js'

/** The order of a receiver that money is claimed for. */
export interface Claimant {
  /** The receiver's name. Two of them that share an inbox may have orders with one reference. */
  receiver: string
  reference: string
}

/**
 * Whether all of the money is free to pay the order, or has paid it; where the inbox keeps which one it paid.
 * @throws {RepositoryError} when the inbox fails, or does not say whose the money is.
 */
export async function claimCredits(
  inbox: Pick<Inbox, 'claimPayment'>,
  credits: readonly string[],
  claimant: Claimant,
): Promise<boolean> {
  const claimPayment = inbox.claimPayment?.bind(inbox)
  if (claimPayment === undefined) return true
  const reference = referenceOf(claimant)
  for (const payment of credits) {
    const holder: unknown = await attempt('inbox.claimPayment', () =>
      claimPayment({ payment, reference }),
    )
    if (typeof holder !== 'string') {
      const problem = `answered ${typeof holder} for the payment ${payment}, not a reference`
      throw new RepositoryError({ operation: 'inbox.claimPayment', problem })
    }
    if (holder !== reference) return false
  }
  return true
}

/** Without a name it is what servers claimed by that did not know of names, and that may run beside this one. */
function referenceOf({ receiver, reference }: Claimant): string {
  return receiver === DEFAULT_NAME ? reference : JSON.stringify([receiver, reference])
}
