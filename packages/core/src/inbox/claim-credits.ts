import { attempt } from '../orders/checked-repository.js'
import type { Inbox } from './inbox.js'

/** The order of a receiver that money is claimed for. */
export interface Claimant {
  /** The receiver's name. Two of them that share an inbox may have orders with one reference. */
  receiver: string
  reference: string
}

/** Whether all of the money is free to pay the order, or has paid it; where the inbox keeps which one it paid. */
export async function claimCredits(
  inbox: Pick<Inbox, 'claimPayment'>,
  credits: readonly string[],
  { receiver, reference: own }: Claimant,
): Promise<boolean> {
  const reference = JSON.stringify([receiver, own])
  for (const payment of credits) {
    const holder = await attempt(
      'inbox.claimPayment',
      async () => (await inbox.claimPayment?.({ payment, reference })) ?? reference,
    )
    if (holder !== reference) return false
  }
  return true
}
