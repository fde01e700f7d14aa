import { canonicalAsset } from '../../shared/asset.js'
import type { Offer } from './offer.js'
import type { Order } from './order.js'
import type { TransferData } from './payload.js'

/** Decides about an amount in the asset of an offer. Both amounts are in base units. */
export type AmountRule<O extends Order = Order> = (
  amounts: { expected: bigint; received: bigint },
  context: { order: O; offer: Offer; transfer: TransferData },
) => boolean

/** The amounts that are accepted besides the exact one. */
export interface AmountsPolicy {
  /**
   * Less than the offer. With `add-up`, the credits of an order in one asset that the chain has shown count together, and the
   * credit that reaches or crosses the amount completes the order. Needs a watcher. @default 'mismatch'
   */
  partial?: 'mismatch' | 'add-up' | undefined
  /**
   * More than the offer. With `accept` the surplus is recorded in the decision and in the payment.
   * @default 'mismatch', and 'accept' with `partial: 'add-up'`
   */
  overpaid?: 'mismatch' | 'accept' | undefined
  /**
   * Base units that may be missing, by asset: `{ TON: 1_000_000n }`. It does not count for an offer that is not larger.
   * @default 0n for each asset
   */
  tolerance?: Readonly<Record<string, bigint>> | undefined
}

/** The shop's policy about amounts, or its own rule. */
export type Amounts<O extends Order = Order> = AmountsPolicy | AmountRule<O>

/**
 * Decides about the price of a payment that came after the end of its offer, for example with the rates of that time. It may
 * be asynchronous. If it throws, or takes longer than five seconds, the payment is a mismatch that can be decided again.
 */
export type LateRule<O extends Order = Order> = (facts: {
  order: O
  /** The offer in the asset of the payment; its amount was computed with the former rate. */
  offer: Offer
  /** Base units. */
  received: bigint
  /** The time of the payment. */
  at: Date
  signal: AbortSignal
}) => boolean | Promise<boolean>

/** Returns true for an amount that the policy accepts for an offer. */
export function isAccepted(
  { partial, overpaid = overpaidBy(partial), tolerance = {} }: AmountsPolicy,
  { rawAmount: expected, asset }: Offer,
  received: bigint,
): boolean {
  if (received >= expected) return received === expected || overpaid === 'accept'
  const missing = toleranceOf(tolerance, asset)
  return missing < expected && received + missing >= expected
}

/** Returns true when several payments may add up to the price. */
export function addsUp(amounts: Amounts<never> | undefined): boolean {
  return typeof amounts === 'object' && amounts.partial === 'add-up'
}

function overpaidBy(partial: AmountsPolicy['partial']): 'mismatch' | 'accept' {
  return partial === 'add-up' ? 'accept' : 'mismatch'
}

function toleranceOf(tolerance: Readonly<Record<string, bigint>>, asset: string): bigint {
  const canonical = canonicalAsset(asset)
  const [, units = 0n] =
    Object.entries(tolerance).find(([key]) => canonicalAsset(key) === canonical) ?? []
  return units
}

/** Describes the policy: equal ones of two processes give equal values. Functions count by their names. */
export function describeAmounts(amounts: Amounts<never> | undefined): unknown {
  if (amounts === undefined) return null
  if (typeof amounts === 'function') return amounts.name
  const { partial = 'mismatch', overpaid = overpaidBy(partial), tolerance = {} } = amounts
  const units = Object.entries(tolerance).map(([asset, one]) => [canonicalAsset(asset), `${one}`])
  return {
    partial,
    overpaid,
    tolerance: units.toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  }
}
