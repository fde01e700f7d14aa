import type { TransferData } from './payload.js'
import { canonicalAsset } from '../shared/asset.js'
import type { Payment, PaymentFailure, ReportSource } from './order.js'
import { canonicalTransactionHash } from './transaction-hash.js'

/** Returns the payment of a successful transfer whose amount and asset are valid. */
export function toPayment(
  transfer: TransferData,
  { late, source }: { late: boolean; source: ReportSource },
): Payment {
  const { traceId, bodyBase64Hash, senderAddr, recipientAddr, date } = transfer
  return {
    txHash: canonicalTransactionHash(transfer.txHash),
    traceId,
    bodyBase64Hash,
    rawAmount: BigInt(transfer.rawAmount),
    asset: canonicalAsset(transfer.asset),
    senderAddr,
    recipientAddr,
    date,
    late,
    source,
  }
}

/** Returns the failure of a transfer that did not succeed. */
export function toPaymentFailure(transfer: TransferData): PaymentFailure {
  const { traceId, status, errorCode, errorMessage, date } = transfer
  return {
    txHash: canonicalTransactionHash(transfer.txHash),
    traceId,
    status,
    errorCode,
    errorMessage,
    date,
  }
}
