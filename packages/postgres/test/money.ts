import type { NewCredit, Payment } from '@tonplug/core'

/** A payment in the native coin. */
export const PAYMENT: Payment = {
  txHash: 'ab',
  traceId: 'trace',
  bodyBase64Hash: 'hash',
  rawAmount: 1n,
  asset: 'TON',
  senderAddr: 'sender',
  recipientAddr: 'recipient',
  date: '',
  isLate: false,
}

/** Returns the credit of a transaction that received five nanocoins. */
export function newCredit({ id, txHash }: { id: string; txHash: string }): NewCredit {
  return {
    id,
    account: 'wallet',
    wallet: 'wallet',
    txHash,
    asset: 'TON',
    rawAmount: 5n,
    traceId: `trace ${id}`,
    utime: 1,
    route: [
      {
        hash: 'message',
        sender: 'payer',
        recipient: 'wallet',
        value: 5n,
        isCommentEncrypted: false,
        transaction: txHash,
        fees: 0n,
        isShared: false,
      },
    ],
  }
}
