import { AddressError, canonicalAddress } from '../../shared/address.js'
import type { TransferData } from './payload.js'
import { parseBaseUnits } from '../../shared/units.js'
import type { AcceptedPayment, DecisionOf, Decision } from './decision.js'
import { isAccepted, type Amounts } from './amounts.js'
import type { Offer } from './offer.js'
import { isAfterLock, offerIn, offersOf } from './offers.js'
import type { AssetAmount, Order, ReportSource } from './order.js'
import { isRepetition } from './same-payment.js'

/** A rule of the shop: pure; returns `undefined` to accept the transfer. Its function name is part of the policy. */
export type Rule<O extends Order = Order> = (context: {
  order: O
  transfer: TransferData
}) => { reason: string } | undefined

/** Payments that an operator has accepted for an order together. */
export interface AcceptedMoney {
  payments: readonly AcceptedPayment[]
  /** Their sums by asset, each payment once. */
  amounts: readonly AssetAmount[]
}

/** Input of a rule. */
export interface RuleContext<O extends Order = Order> {
  order: O
  transfer: TransferData
  /** The transfer's hash in canonical format. */
  txHash: string
  /** See `NewReport.wasCompletedBefore`. */
  wasCompletedBefore: boolean
  /** The source that reported the transfer. */
  source: ReportSource
  /** The merchant's wallets in canonical format; `undefined` disables the check. */
  wallets: readonly string[] | undefined
  amounts: Amounts<O> | undefined
  /** When the report was first stored, milliseconds since the Unix epoch. */
  receivedAtMs: number
  /** The payments that an operator has accepted for the order, this one among them. Their amounts and assets fit. */
  accepted?: AcceptedMoney | undefined
  /** The shop has accepted the amount of a payment that came after the end of its offer, or rejected it. */
  lateRule?: 'accepted' | 'rejected' | 'failed' | undefined
}

/** A built-in rule: pure; the first decision ends the list. */
interface BuiltInRule {
  /** For an operator. */
  name: string
  judge: <O extends Order>(context: RuleContext<O>) => Decision | undefined
  /** Returns the compared values for an operator, whatever the verdict is. */
  facts: (context: Omit<RuleContext, 'amounts'>) => {
    expected?: string | undefined
    received: string
  }
}

/**
 * The built-in rules about an order, in sequence. The signature (1), the event (2) and the order's existence (3) are checked
 * before; the shop's own rules and the transition (8) follow.
 * Source: webhook description, part 6.
 */
export const builtInRules: readonly BuiltInRule[] = [
  {
    name: 'not completed',
    judge: orderIsNotCompleted,
    facts: ({ order }) => ({ received: order.status }),
  },
  {
    name: 'succeeded',
    judge: transferSucceeded,
    facts: ({ transfer }) => ({ expected: 'success', received: transfer.status }),
  },
  {
    name: 'amount',
    judge: amountIsExpected,
    facts: ({ order, transfer }) => ({
      expected: comparedOffer(order, transfer).rawAmount.toString(),
      received: transfer.rawAmount,
    }),
  },
  {
    name: 'asset',
    judge: assetIsExpected,
    facts: ({ order, transfer }) => ({ expected: assetsOf(order), received: transfer.asset }),
  },
  {
    name: 'wallet',
    judge: recipientIsOurs,
    facts: ({ order, transfer, wallets }) => ({
      expected: (typeof order.recipient === 'string' ? [order.recipient] : wallets)?.join(', '),
      received: transfer.recipientAddr,
    }),
  },
]

/** Rule 4. */
function orderIsNotCompleted<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, txHash, wasCompletedBefore } = context
  if (order.status !== 'completed') return undefined
  const facts = { reference: order.reference, txHash }
  const { payment } = order
  const completedBy = payment?.txHash
  if (transfer.status !== 'success') return { kind: 'duplicate', ...facts, completedBy }
  const isSame = payment ? isRepetition(payment, context) : !wasCompletedBefore
  if (!isSame) {
    // Without a payment the order was settled in another way: by card, in cash, or by hand.
    const { rawAmount, asset } = transfer
    return { kind: 'extra_payment', ...facts, received: rawAmount, asset, completedBy }
  }
  // An operator's report of this same transfer has completed it, whatever the amount.
  const isByOperator = payment?.source === 'operator' && context.source !== 'operator'
  if (completedBy !== undefined && (completedBy !== txHash || isByOperator)) {
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
  const { order, transfer, amounts } = context
  const received = parseBaseUnits(transfer.rawAmount)
  if (received === undefined) return amountMismatch(context)
  if (context.accepted !== undefined) return undefined
  const offer = comparedOffer(order, transfer)
  if (isAfterEnd(context)) {
    return context.lateRule === 'accepted' ? undefined : amountMismatch(context)
  }
  const isFitting =
    typeof amounts === 'function'
      ? amounts({ expected: offer.rawAmount, received }, { order, offer, transfer })
      : isAccepted(amounts ?? {}, offer, received)
  return isFitting ? undefined : amountMismatch(context)
}

/** Returns true for a payment in an asset of the order that came after the end of the offer. */
export function isAfterEnd<O extends Order>(context: RuleContext<O>): boolean {
  const offer = offerIn(context.order, context.transfer.asset)
  return offer?.expiresAt !== undefined && isAfterLock(offer, paidAt(context))
}

/**
 * Returns the time of a payment, milliseconds since the Unix epoch. One that the report does not state is at most the time of
 * the report.
 */
export function paidAt({
  transfer,
  receivedAtMs,
}: Pick<RuleContext, 'transfer' | 'receivedAtMs'>): number {
  const ms = Date.parse(transfer.date)
  return Number.isNaN(ms) ? receivedAtMs : ms
}

function amountMismatch<O extends Order>(context: RuleContext<O>): DecisionOf<'amount_mismatch'> {
  const { order, transfer, txHash } = context
  return {
    kind: 'amount_mismatch',
    reference: order.reference,
    txHash,
    expected: comparedOffer(order, transfer).rawAmount.toString(),
    received: transfer.rawAmount,
    ...(offerIn(order, transfer.asset) === undefined && { asset: transfer.asset }),
    ...(isAfterEnd(context) && { isLate: true }),
    ...(context.lateRule === 'failed' && { lateRule: 'failed' }),
  }
}

/** Returns the offer that a transfer is compared with: that in its asset, otherwise one of its amount, otherwise the first. */
export function comparedOffer(
  order: Order,
  { asset, rawAmount }: Pick<TransferData, 'asset' | 'rawAmount'>,
): Offer {
  const same = offerIn(order, asset)
  if (same !== undefined) return same
  const offers = offersOf(order)
  const [first] = offers
  // An order without an offer is refused where it is read.
  if (first === undefined) throw new TypeError('expected an order with an offer')
  return offers.find((offer) => offer.rawAmount === parseBaseUnits(rawAmount)) ?? first
}

/** Rule 7. */
function assetIsExpected<O extends Order>(context: RuleContext<O>): Decision | undefined {
  const { order, transfer, txHash, accepted } = context
  if (accepted !== undefined || offerIn(order, transfer.asset) !== undefined) return undefined
  return {
    kind: 'asset_mismatch',
    reference: order.reference,
    txHash,
    expected: assetsOf(order),
    received: transfer.asset,
  }
}

/** Returns the assets of an order, as given. */
function assetsOf(order: Order): string {
  return offersOf(order)
    .map(({ asset }) => asset)
    .join(', ')
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
    kind: 'wallet_mismatch',
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
