import type { TransferData } from '../webhook/payload.js'
import type { Payment, PaymentSource } from './order.js'
import { canonicalTransactionHash } from './transaction-hash.js'

/** A transfer as it was told, or found. */
export interface ToldTransfer {
  transfer: Pick<TransferData, 'traceId'>
  /** In canonical spelling. */
  txHash: string
  foundBy: PaymentSource | undefined
}

/**
 * Whether a transfer is the payment that completed an order, told of by another of its transactions. A payment is a
 * trace of several: the gateway names one of them, and a search of the chain finds the one that credited the recipient.
 * Two of the same kind name the same one, so other hashes are other payments, even in one trace.
 */
export function isSamePayment(payment: Payment, told: ToldTransfer): boolean {
  if (payment.txHash === told.txHash) return true
  const isOfOneKind = (payment.foundBy === 'chain') === (told.foundBy === 'chain')
  if (isOfOneKind) return false
  const names = namesOf(payment.txHash, payment.traceId)
  return namesOf(told.txHash, told.transfer.traceId).some((name) => names.includes(name))
}

/** What is empty names nothing. */
function namesOf(...hashes: string[]): string[] {
  return hashes.filter((hash) => hash !== '').map(canonicalTransactionHash)
}
