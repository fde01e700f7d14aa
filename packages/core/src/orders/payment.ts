import type { TransferData } from './payload.js'
import { canonicalAsset } from '../shared/asset.js'
import type { Payment, PaymentFailure, ReportSource } from './order.js'

/** Returns the payment of a successful transfer whose amount and asset are valid. @param txHash in canonical format */
export function toPayment(
  transfer: TransferData,
  txHash: string,
  { late, source }: { late: boolean; source: ReportSource },
): Payment {
  const { traceId, bodyBase64Hash, senderAddr, recipientAddr, date } = transfer
  return {
    txHash,
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

/** Returns the failure of a transfer that did not succeed. @param txHash in canonical format */
export function toPaymentFailure(transfer: TransferData, txHash: string): PaymentFailure {
  const { traceId, status, errorCode, errorMessage, date } = transfer
  return {
    txHash,
    traceId,
    status,
    errorCode,
    errorMessage,
    date,
  }
}
