import type { PaymentClaim } from '../../ledger/payment-verifier.js'
import { readBodyHash } from '../../orders/body-hash.js'
import { offerIn } from '../../orders/offers.js'
import type { Order } from '../../orders/order.js'
import { timeOf } from '../../orders/order-age.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { contradicted } from '../../orders/unproven.js'
import { AddressError, canonicalAddress } from '../../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../../shared/asset.js'
import { undefinedOn } from '../../../shared/undefined-on.js'
import { parseBaseUnits } from '../../../shared/units.js'
import type { ExpectedPayment } from './expected-payment.js'

const HASH = /^[0-9a-f]{64}$/

/** A payment with the transaction that the webhook named. */
export type ExpectedClaim = ExpectedPayment & { txHash: string }

/** Returns the payment that the chain must show, or the verdict on a claim that is invalid by itself. */
export function expectedOf(
  { transfer, order }: PaymentClaim,
  feeAllowance: bigint,
): ExpectedClaim | ReturnType<typeof contradicted> {
  const { reference, createdAt } = order
  const { asset } = offerIn(order, transfer.asset) ?? transfer
  const bodyBase64Hash = boundBody(order, asset)
  const { txHash, traceId } = transfer
  // A payment that was found on the chain or at the gateway may lack fields: a missing field needs no proof.
  const hashes = {
    txHash: canonicalTransactionHash(txHash),
    ...(traceId !== '' && { traceId: canonicalTransactionHash(traceId) }),
    bodyHash: canonicalTransactionHash(transfer.bodyBase64Hash || (bodyBase64Hash ?? '')),
  }
  if (!Object.values(hashes).every((hash) => HASH.test(hash))) {
    return contradicted(
      'unreadable',
      'txHash, traceId and bodyBase64Hash must be hashes of 256 bits',
    )
  }
  const isOther =
    typeof bodyBase64Hash === 'string' &&
    canonicalTransactionHash(bodyBase64Hash) !== hashes.bodyHash
  if (isOther) {
    const detail = `the order is paid by a message with the body ${bodyBase64Hash}`
    return contradicted('other_message', detail)
  }
  const rawAmount = parseBaseUnits(transfer.rawAmount)
  if (rawAmount === undefined) {
    return contradicted('other_amount', 'rawAmount must be a decimal integer')
  }
  const sender = canonicalOrNone(transfer.senderAddr)
  if (sender === undefined && transfer.senderAddr !== '') {
    return contradicted('other_sender', 'senderAddr must be an address')
  }
  const recipient = canonicalOrNone(transfer.recipientAddr)
  if (recipient === undefined)
    return contradicted('other_recipient', 'recipientAddr must be an address')
  // The body binds the payment to the order, so its age does not matter.
  const isBound = readBodyHash(bodyBase64Hash) !== undefined
  const createdMs = isBound ? undefined : timeOf(createdAt)
  const paid = { rawAmount, sender, recipient, asset: canonicalAsset(asset) }
  const comment = !isBound && transfer.commentToRecipient === reference ? reference : undefined
  return { ...hashes, ...paid, feeAllowance, createdMs, reference, comment }
}

/** Returns the hash of the only body that pays the order in an asset: of several offers, it is that of the native coin. */
function boundBody({ offers, bodyBase64Hash }: Order, asset: string): string | null | undefined {
  const isBound = !offers || canonicalAsset(asset) === NATIVE_ASSET
  return isBound ? bodyBase64Hash : undefined
}

function canonicalOrNone(text: string): string | undefined {
  return undefinedOn(AddressError, () => canonicalAddress(text))
}
