import { AddressError } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { undefinedOn } from '../../shared/undefined-on.js'
import type { TransferData } from './payload.js'
import type { Payment, ReportSource } from './order.js'
import { canonicalTransactionHash } from './transaction-hash.js'

/** A transfer as one source reported it. */
export interface ReportedTransfer {
  transfer: Pick<TransferData, 'traceId'>
  /** In canonical format. */
  txHash: string
  source: ReportSource
}

/**
 * Returns true when a transfer is the payment that completed an order, even if it is identified by another of its
 * transactions. A payment is a trace of several transactions: the gateway names one of them, the chain watcher names the
 * transaction that credited the recipient, and an operator attaches either. Two reports of the same kind name the same transaction,
 * so different hashes are different payments, even in one trace. A repository of the shop knows only its own order's payment,
 * and a shop without a chain client has no credits to compare.
 */
export function isSamePayment(
  payment: Pick<Payment, 'txHash' | 'traceId' | 'source'>,
  reported: ReportedTransfer,
): boolean {
  if (payment.txHash === reported.txHash) return true
  if (kindOf(payment) === kindOf(reported)) return false
  const hashes = hashesOf(payment.txHash, payment.traceId)
  return hashesOf(reported.txHash, reported.transfer.traceId).some((hash) => hashes.includes(hash))
}

/** Returns true when a transfer repeats the payment of an order: one trace can hold payments in several assets. */
export function isRepetition(
  payment: Payment,
  reported: ReportedTransfer & { transfer: TransferData },
): boolean {
  if (!isSamePayment(payment, reported)) return false
  const [paid, own] = [payment.asset, reported.transfer.asset].map((asset) =>
    undefinedOn(AddressError, () => canonicalAsset(`${asset}`)),
  )
  return paid === undefined || own === undefined || paid === own
}

function kindOf({ source }: Pick<Payment, 'source'>): 'chain' | 'operator' | 'gateway' {
  return source === 'chain' || source === 'operator' ? source : 'gateway'
}

/** Returns the canonical hashes; an empty one identifies nothing. */
function hashesOf(...hashes: string[]): string[] {
  return hashes.filter((hash) => hash !== '').map(canonicalTransactionHash)
}
