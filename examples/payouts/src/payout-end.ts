import { canonicalAddress, describeTrace } from '@tonplug/core'
import type { ConfirmedMessage, Transfer } from '@tonplug/core'
import type { Payout, PayoutEnd } from './payout.js'

/**
 * What became of a payout whose message has landed, from the trace of that message; `undefined` when the trace does not
 * tell. It is the transfer that counts: what a recipient's contract does later is not ours.
 * @param wallet who has paid, in any spelling
 */
export function payoutEnd(
  payout: Payout,
  { trace, metadata }: Pick<ConfirmedMessage, 'trace' | 'metadata'>,
  wallet: string,
): PayoutEnd | undefined {
  const { transfers, outcome, reason, traceId } = describeTrace(trace, { metadata })
  const transfer = transfers.find((one) => isOf(payout, one, wallet))
  switch (transfer?.outcome) {
    case 'arrived':
      return { status: 'paid', traceId }
    case 'bounced':
    case 'failed':
      return { status: 'failed', reason: reasonOf(transfer), traceId }
    case undefined:
      // The wallet has taken the message, and has not sent anything.
      return outcome === 'failure' ? { status: 'failed', reason, traceId } : undefined
    default:
      return undefined
  }
}

function isOf({ id, to, amount, jetton }: Payout, transfer: Transfer, wallet: string): boolean {
  const { sender, recipient } = transfer
  if (recipient === undefined || transfer.kind === 'nft' || transfer.amount !== amount) return false
  if (canonicalAddress(sender) !== canonicalAddress(wallet)) return false
  if (canonicalAddress(recipient) !== canonicalAddress(to)) return false
  return jetton === undefined
    ? transfer.kind === 'native'
    : transfer.kind === 'jetton' && transfer.queryId === id
}

function reasonOf({ outcome, reason }: Transfer): string {
  const what = outcome === 'bounced' ? 'it came back' : 'it was not carried out'
  return reason === undefined ? what : `${what}: ${reason}`
}
