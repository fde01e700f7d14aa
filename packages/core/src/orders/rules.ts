import { AddressError } from '../errors/address.js'
import type { TransferData } from '../webhook/payload.js'
import { canonicalAddress } from '../address/address.js'
import { amountsAgree, parseBaseUnits } from './amount.js'
import { canonicalAsset } from './asset.js'
import type { AmountMismatchDecision, Decision } from './decision.js'
import type { Order, PaymentSource } from './order.js'
import { isSamePayment } from './same-payment.js'

/** Judges an amount that differs from, or equals, the expected one. Both are in base units. */
export type AcceptAmount<O extends Order = Order> = (
  amounts: { expected: bigint; received: bigint },
  context: { order: O; transfer: TransferData },
) => boolean

/** A rule of the shop: pure, and `undefined` when it has nothing against the transfer. */
export type Rule<O extends Order = Order> = (context: {
  order: O
  transfer: TransferData
}) => { reason: string } | undefined

/** What a rule may look at. */
export interface RuleContext<O extends Order = Order> {
  order: O
  transfer: TransferData
  /** The transfer's hash in canonical spelling. */
  txHash: string
  /** See `NewDelivery.wasCompletedBefore`. */
  wasCompletedBefore: boolean
  /** Where a reconciler found the transfer; `undefined` for one that a webhook told. */
  foundBy: PaymentSource | undefined
  /** Our wallets in canonical spelling; `undefined` turns the check off. */
  recipients: readonly string[] | undefined
  acceptAmount: AcceptAmount<O> | undefined
}

/** A rule of the receiver: pure; the first decision ends the list. */
export type ReceiverRule = <O extends Order>(context: RuleContext<O>) => Decision | undefined

/**
 * The receiver's rules about an order, in their order. Before them come the signature (1), the event (2) and the
 * order's existence (3); after them the shop's own rules and the transition (8).
 * Source: webhook description, part 6.
 */
export const receiverRules: readonly ReceiverRule[] = [
  orderIsNotCompleted,
  transferSucceeded,
  amountIsExpected,
  assetIsExpected,
  recipientIsOurs,
]

/** Rule 4. */
function orderIsNotCompleted<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, txHash, wasCompletedBefore } = context
  if (order.status !== 'completed') return undefined
  const facts = { reference: order.reference, txHash }
  const { payment } = order
  const completedBy = payment?.txHash
  if (transfer.status !== 'success') return { kind: 'duplicate', ...facts, completedBy }
  if (payment && completedBy !== txHash) {
    if (isSamePayment(payment, context)) return { kind: 'duplicate', ...facts, completedBy }
    const { rawAmount, asset } = transfer
    return { kind: 'extra_payment', ...facts, received: rawAmount, asset, completedBy }
  }
  // Completed since the delivery came: another process, or a crash, came between that and the decision.
  return wasCompletedBefore ? { kind: 'duplicate', ...facts, completedBy } : undefined
}

/** Rule 5. */
function transferSucceeded<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { status, errorCode, errorMessage } = context.transfer
  if (status === 'success') return undefined
  const facts = { reference: context.order.reference, txHash: context.txHash }
  if (status !== 'failed') return { kind: 'unexpected_status', ...facts, status }
  return { kind: 'failed', ...facts, errorCode, errorMessage }
}

/** Rule 6. */
function amountIsExpected<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, acceptAmount } = context
  const received = parseBaseUnits(transfer.rawAmount)
  if (received === undefined) return amountMismatch(context)
  if (!amountsAgree(transfer.amount, received, transfer.asset)) {
    return { ...amountMismatch(context), amount: transfer.amount }
  }
  const expected = order.rawAmount
  const isAccepted =
    acceptAmount === undefined
      ? received === expected
      : acceptAmount({ expected, received }, { order, transfer })
  return isAccepted ? undefined : amountMismatch(context)
}

function amountMismatch<O extends Order>(context: RuleContext<O>): AmountMismatchDecision {
  const { order, transfer, txHash } = context
  return {
    kind: 'amount_mismatch',
    reference: order.reference,
    txHash,
    expected: order.rawAmount.toString(),
    received: transfer.rawAmount,
    ...(!isExpectedAsset(context) && { asset: transfer.asset }),
  }
}

function isExpectedAsset<O extends Order>({ order, transfer }: RuleContext<O>): boolean {
  return canonicalOr(undefined, canonicalAsset, transfer.asset) === canonicalAsset(order.asset)
}

/** Rule 7. */
function assetIsExpected<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, txHash } = context
  if (isExpectedAsset(context)) return undefined
  return {
    kind: 'asset_mismatch',
    reference: order.reference,
    txHash,
    expected: order.asset,
    received: transfer.asset,
  }
}

/** After rule 7: the money went to one of our wallets, when we said which they are. */
function recipientIsOurs<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, txHash } = context
  const expected =
    typeof order.recipient === 'string' ? [canonicalAddress(order.recipient)] : context.recipients
  if (expected === undefined) return undefined
  const received = canonicalOr(undefined, canonicalAddress, transfer.recipientAddr)
  if (received !== undefined && expected.includes(received)) return undefined
  return {
    kind: 'recipient_mismatch',
    reference: order.reference,
    txHash,
    expected,
    received: transfer.recipientAddr,
  }
}

/** What stands on the wire may be no address at all; then it equals nothing. */
function canonicalOr<Fallback>(
  fallback: Fallback,
  canonical: (text: string) => string,
  text: string,
): string | Fallback {
  try {
    return canonical(text)
  } catch (error) {
    if (error instanceof AddressError) return fallback
    throw error
  }
}
