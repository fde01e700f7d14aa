import { AddressError, canonicalAddress } from '../shared/address.js'
import type { TransferData } from './payload.js'
import { parseBaseUnits } from '../shared/units.js'
import { canonicalAsset } from '../shared/asset.js'
import type { DecisionOf, Decision } from './decision.js'
import type { Order, ReportSource } from './order.js'
import { isSamePayment } from './same-payment.js'

/** Decides whether a received amount is accepted. Both amounts are in base units. */
export type AcceptAmount<O extends Order = Order> = (
  amounts: { expected: bigint; received: bigint },
  context: { order: O; transfer: TransferData },
) => boolean

/** A rule of the shop: pure; returns `undefined` to accept the transfer. Its function name is part of the policy. */
export type Rule<O extends Order = Order> = (context: {
  order: O
  transfer: TransferData
}) => { reason: string } | undefined

/** Input of a rule. */
export interface RuleContext<O extends Order = Order> {
  order: O
  transfer: TransferData
  /** The transfer's hash in canonical format. */
  txHash: string
  /** See `NewReport.wasCompletedBefore`. */
  wasCompletedBefore: boolean
  /** The door that reported the transfer. */
  source: ReportSource
  /** The merchant's wallets in canonical format; `undefined` disables the check. */
  wallets: readonly string[] | undefined
  acceptAmount: AcceptAmount<O> | undefined
}

/** A built-in rule: pure; the first decision ends the list. */
export interface BuiltInRule {
  /** For an operator. */
  name: 'not completed' | 'succeeded' | 'amount' | 'asset' | 'wallet'
  judge: <O extends Order>(context: RuleContext<O>) => Decision | undefined
}

/**
 * The built-in rules about an order, in sequence. The signature (1), the event (2) and the order's existence (3) are checked
 * before; the shop's own rules and the transition (8) follow.
 * Source: webhook description, part 6.
 */
export const builtInRules: readonly BuiltInRule[] = [
  { name: 'not completed', judge: orderIsNotCompleted },
  { name: 'succeeded', judge: transferSucceeded },
  { name: 'amount', judge: amountIsExpected },
  { name: 'asset', judge: assetIsExpected },
  { name: 'wallet', judge: recipientIsOurs },
]

/** Rule 4. */
function orderIsNotCompleted<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, txHash, wasCompletedBefore } = context
  if (order.status !== 'completed') return undefined
  const facts = { reference: order.reference, txHash }
  const { payment } = order
  const completedBy = payment?.txHash
  if (transfer.status !== 'success') return { kind: 'duplicate', ...facts, completedBy }
  const isSame = payment ? isSamePayment(payment, context) : !wasCompletedBefore
  if (!isSame) {
    // Without a payment the order was settled in another way: by card, in cash, or by hand.
    const { rawAmount, asset } = transfer
    return { kind: 'extra_payment', ...facts, received: rawAmount, asset, completedBy }
  }
  if (completedBy !== undefined && completedBy !== txHash) {
    return { kind: 'duplicate', ...facts, completedBy }
  }
  // Completed since the report was stored: by another process, or before a crash that lost the decision.
  return wasCompletedBefore ? { kind: 'duplicate', ...facts, completedBy } : undefined
}

/** Rule 5. */
function transferSucceeded<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { status, errorCode, errorMessage } = context.transfer
  if (status === 'success') return undefined
  const facts = { reference: context.order.reference, txHash: context.txHash }
  return { kind: 'failed', ...facts, status, errorCode, errorMessage }
}

/** Rule 6. `rawAmount` decides; the display amount may be rounded. */
function amountIsExpected<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, acceptAmount } = context
  const received = parseBaseUnits(transfer.rawAmount)
  if (received === undefined) return amountMismatch(context)
  const expected = order.rawAmount
  const isAccepted =
    acceptAmount === undefined
      ? received === expected
      : acceptAmount({ expected, received }, { order, transfer })
  return isAccepted ? undefined : amountMismatch(context)
}

function amountMismatch<O extends Order>(context: RuleContext<O>): DecisionOf<'amount_mismatch'> {
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
  // The order's asset is valid.
  if (transfer.asset === order.asset) return true
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

/** After rule 7: the money went to one of the merchant's wallets, if those are configured. */
function recipientIsOurs<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, txHash } = context
  const expected =
    typeof order.recipient === 'string' ? [canonicalAddress(order.recipient)] : context.wallets
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

/** A reported value may be an invalid address; then it equals nothing. */
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
