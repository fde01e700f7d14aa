import type { Credit } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'

/** Returns the credit of a message that a payer sent to the wallet, in a transaction with other messages: the trace's first one. */
export function directCredit({
  txHash,
  traceId,
  rawAmount = transferCompleted().data.rawAmount,
}: Pick<Credit, 'txHash' | 'traceId'> & { rawAmount?: string }): Credit {
  const { recipientAddr: wallet } = transferCompleted().data
  const amount = BigInt(rawAmount)
  const message = {
    hash: txHash,
    sender: '',
    recipient: wallet,
    value: amount,
    isCommentEncrypted: false,
    transaction: txHash,
    fees: 0n,
    isShared: false,
  }
  return {
    id: txHash,
    account: wallet,
    wallet,
    txHash,
    asset: 'TON',
    rawAmount: amount,
    traceId,
    utime: 1_700_000_000,
    route: [message],
    root: { transaction: traceId, isShared: true },
  }
}
