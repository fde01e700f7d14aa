import { canonicalAddress } from '@tonplug/core'
import { parseTrace } from '@tonplug/core/toncenter'
import type { ConfirmedMessage, Transfer } from '@tonplug/core/toncenter'
import type { Payout, PayoutOutcome } from './payout.js'

/**
 * Returns the outcome of a payout from the trace of its message; undefined while the trace is inconclusive. Only the transfer
 * counts, not later actions of the recipient's contract.
 * @param wallet the address of the paying wallet, in any format
 */
export function payoutOutcome(
  payout: Payout,
  { trace, metadata }: Pick<ConfirmedMessage, 'trace' | 'metadata'>,
  wallet: string,
): PayoutOutcome | undefined {
  const { transfers, outcome, reason, traceId } = parseTrace(trace, { metadata })
  const transfer = transfers.find((candidate) => isTransferOf(payout, candidate, wallet))
  switch (transfer?.outcome) {
    case 'arrived':
      return { status: 'paid', traceId }
    case 'bounced':
    case 'failed':
      return { status: 'failed', reason: reasonOf(transfer), traceId }
    case undefined:
      // The wallet accepted the message but sent nothing.
      return outcome === 'failure' ? { status: 'failed', reason, traceId } : undefined
    default:
      return undefined
  }
}

function isTransferOf(
  { id, to, amount, jetton }: Payout,
  transfer: Transfer,
  wallet: string,
): boolean {
  const { sender, recipient } = transfer
  if (recipient === undefined || transfer.kind === 'nft' || transfer.amount !== amount) return false
  if (canonicalAddress(sender) !== canonicalAddress(wallet)) return false
  if (canonicalAddress(recipient) !== canonicalAddress(to)) return false
  return jetton === undefined
    ? transfer.kind === 'native'
    : transfer.kind === 'jetton' && transfer.queryId === id
}

function reasonOf({ outcome, reason }: Transfer): string {
  const summary = outcome === 'bounced' ? 'the transfer bounced' : 'the transfer failed'
  return reason === undefined ? summary : `${summary}: ${reason}`
}
