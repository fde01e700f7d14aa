import { canonicalAddress } from '@tonplug/core'
import { parseTrace, type ConfirmedMessage, type Transfer } from '@tonplug/core/toncenter'
import type { Payout } from './payout-queue.js'

/**
 * Returns `paid`, or why a payout failed; undefined while its trace does not tell. Only the transfer counts, not what the
 * recipient's contract does with it.
 * @param wallet the address of the paying wallet
 */
export function payoutOutcome(
  payout: Payout,
  { trace, metadata }: ConfirmedMessage,
  wallet: string,
): 'paid' | { failed: string } | undefined {
  const { transfers, outcome, reason } = parseTrace(trace, { metadata })
  const transfer = transfers.find((candidate) => isTransferOf(payout, candidate, wallet))
  if (transfer === undefined) {
    // The wallet accepted the message and sent nothing.
    return outcome === 'failure' ? { failed: reason } : undefined
  }
  if (transfer.outcome === 'arrived') return 'paid'
  if (transfer.outcome !== 'bounced' && transfer.outcome !== 'failed') return undefined
  return { failed: `the transfer ${transfer.outcome}: ${transfer.reason ?? 'no reason is known'}` }
}

function isTransferOf(payout: Payout, transfer: Transfer, wallet: string): boolean {
  const { sender, recipient } = transfer
  if (recipient === undefined || transfer.kind === 'nft' || transfer.amount !== payout.amount) {
    return false
  }
  if (canonicalAddress(sender) !== canonicalAddress(wallet)) return false
  if (canonicalAddress(recipient) !== canonicalAddress(payout.recipient)) return false
  return payout.jetton === null
    ? transfer.kind === 'native'
    : transfer.kind === 'jetton' && transfer.queryId === payout.id
}
