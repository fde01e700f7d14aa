import { hashCell } from '../chain/cells/hash-cell.js'
import { decodeBoc } from '../chain/cells/parse-boc.js'
import { commentBody } from '../chain/write-body.js'
import { paymentMessage, type InvoiceReader } from '../invoices/payment-message.js'
import { friendlyAddress } from '../shared/address.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import { encodeBase64 } from '../shared/base64.js'
import type { PayerMessage } from '../shared/invoice.js'

/** The money to return. Addresses are canonical. */
export interface RefundedMoney {
  /** The payment that is returned, in canonical format. */
  txHash: string
  /** The merchant's wallet. */
  wallet: string
  payer: string
  asset: string
  rawAmount: bigint
}

/** The message of the merchant's wallet, and the hash of its body, which only this refund has. */
export interface RefundMessage extends PayerMessage {
  /** Standard base64. */
  bodyHash: string
}

/**
 * Returns the message that returns the money of a payment. It is the same for every proposal, so one search finds whichever
 * was signed.
 */
export async function refundMessage(
  { txHash, wallet, payer, asset, rawAmount }: RefundedMoney,
  { v3, isTestOnly }: { v3: InvoiceReader; isTestOnly: boolean },
): Promise<RefundMessage> {
  const message = await paymentMessage({
    sender: wallet,
    // It paid, so it is deployed: what it does not accept comes back.
    recipient: friendlyAddress(payer, { isBounceable: true, isTestOnly }),
    jetton: asset === NATIVE_ASSET ? undefined : { master: asset, v3 },
    rawAmount,
    comment: commentBody(`refund ${txHash}`),
    isTestOnly,
  })
  return { ...message, bodyHash: encodeBase64(await hashCell(decodeBoc(message.payload))) }
}
