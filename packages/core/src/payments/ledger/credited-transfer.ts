import type { Credit, RouteMessage } from './credit.js'
import type { TransferData } from '../orders/payload.js'
import { storableText } from '../orders/order-key.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { formatUnits, NATIVE_DECIMALS } from '../../shared/units.js'
import { toBase64Hash } from '../../toncenter/schema/params.js'

/** Returns a credit as the gateway would report it for an order. @param message the payer's */
export function toTransfer(
  reference: string,
  { credit, message }: { credit: Credit; message: RouteMessage },
): TransferData {
  const { rawAmount, asset } = credit
  const { sender, bodyHash = '', comment, isCommentEncrypted } = message
  return {
    amount: asset === NATIVE_ASSET ? formatUnits(rawAmount, NATIVE_DECIMALS) : rawAmount.toString(),
    rawAmount: rawAmount.toString(),
    senderAddr: sender,
    recipientAddr: credit.wallet,
    asset,
    status: 'success',
    reference,
    bodyBase64Hash: toBase64Hash(bodyHash) ?? '',
    txHash: credit.txHash,
    traceId: credit.traceId,
    ...(comment !== undefined && { commentToRecipient: storableText(comment) }),
    ...(isCommentEncrypted && { isCommentEncrypted }),
    date: new Date(credit.utime * 1000).toISOString(),
  }
}
