import type { TransferData } from '../webhook/payload.js'
import { canonicalAsset } from './asset.js'
import type { PaidDecision } from './decision.js'
import type { Payment, PaymentFailure } from './order.js'
import { canonicalTransactionHash } from './transaction-hash.js'

/** The payment that a successful transfer with readable amount and asset is. */
export function toPayment(
  transfer: TransferData,
  { late, foundBy }: Pick<PaidDecision, 'late' | 'foundBy'>,
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
    ...(foundBy !== undefined && { foundBy }),
  }
}

/** The failure that a transfer without success is. */
export function toPaymentFailure(transfer: TransferData): PaymentFailure {
  const { traceId, errorCode, errorMessage, date } = transfer
  return {
    txHash: canonicalTransactionHash(transfer.txHash),
    traceId,
    errorCode,
    errorMessage,
    date,
  }
}
