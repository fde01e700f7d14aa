import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'
import { RuleError } from './errors.js'
import type { TransferData } from './payload.js'
import type { Decision, DecisionOf } from './decision.js'
import { describeOffer, offerIn } from './offers.js'
import type { Order } from './order.js'
import { builtInRules, comparedOffer, isAfterEnd, type Rule, type RuleContext } from './rules.js'

/** Input of the built-in rules, and the shop's own rules. */
export interface DecideContext<O extends Order = Order> extends Omit<RuleContext<O>, 'order'> {
  order: O | null
  rules: readonly Rule<O>[]
}

/**
 * Applies the rules to a transfer. Returns the first decision of rules 3 to 7 and of the shop's own rules, otherwise
 * `paid`, which becomes true only when the order's transition is applied (rule 8). Changes nothing.
 * @throws {RuleError} when a function given in the options throws.
 */
export function decide<O extends Order>(context: DecideContext<O>): Decision {
  const { order, transfer, txHash } = context
  if (order === null) return { kind: 'unknown_order', reference: transfer.reference, txHash }
  const known = withOrder(context, order)
  for (const { judge } of builtInRules) {
    const decision = judge(known)
    if (decision !== undefined) return decision
  }
  // An operator who accepts money has seen why a rule rejects it.
  const rules = context.accepted === undefined ? context.rules : []
  for (const [index, rule] of rules.entries()) {
    const name = nameOf(rule, index)
    const rejection = callRule(rule, name, { order, transfer })
    if (rejection !== undefined) {
      const { reference } = order
      return { kind: 'rejected', reference, txHash, rule: name, reason: rejection.reason }
    }
  }
  const offer = describeOffer(order, offerIn(order, transfer.asset))
  const payment = order.status === 'completed' ? (order.payment ?? undefined) : undefined
  // Block times are whole seconds.
  const isBefore = Date.parse(transfer.date) + 999 < (order.createdAt?.getTime() ?? -Infinity)
  return {
    kind: 'paid',
    reference: order.reference,
    txHash,
    expected: comparedOffer(order, transfer).rawAmount.toString(),
    received: transfer.rawAmount,
    ...amountFacts(known, transfer),
    isLate: order.payment?.isLate ?? (order.status === 'expired' || isAfterEnd(known)),
    // Another source may have completed the order by this same transfer since.
    source: payment === undefined ? context.source : (payment.source ?? 'webhook'),
    ...(isBefore && { isEarly: true }),
    ...(offer && { offer }),
  }
}

type AmountFacts = Pick<
  DecisionOf<'paid'>,
  'amountRule' | 'received' | 'surplus' | 'accepted' | 'acceptedAmounts'
>

/** States how an accepted amount differs from the offer, and what an operator has accepted. */
function amountFacts<O extends Order>(
  context: RuleContext<O>,
  { rawAmount, asset }: TransferData,
): Omit<AmountFacts, 'received'> & Partial<AmountFacts> {
  const { accepted } = context
  if (accepted !== undefined) {
    const { payments, amounts: acceptedAmounts } = accepted
    const sum = acceptedAmounts.find((one) => one.asset === canonicalAsset(asset))
    const received = sum?.rawAmount ?? rawAmount
    return { amountRule: 'accepted', accepted: payments, acceptedAmounts, received }
  }
  const expected = comparedOffer(context.order, context.transfer).rawAmount
  const difference = (parseBaseUnits(rawAmount) ?? expected) - expected
  const isCustom = typeof context.amounts === 'function' || isAfterEnd(context)
  const isEqual = difference === 0n
  return {
    amountRule: isCustom ? 'custom' : isEqual ? 'equal' : 'policy',
    ...(!isCustom && difference > 0n && { surplus: `${difference}` }),
  }
}

/** The verdict of one rule. */
export type RuleVerdict = ReturnType<typeof explainRules>[number]

/**
 * Applies every rule to a transfer, not only those up to the first that fails. Without an order there is only one verdict.
 * Changes nothing. A rule that throws is one that did not pass.
 */
export function explainRules<O extends Order>(
  context: DecideContext<O>,
): {
  /** `order exists`, the name of a built-in rule, or the function name of one of the shop's own. */
  rule: string
  passed: boolean
  /** The value of the order or of the options; amounts in base units. */
  expected?: string | undefined
  /** The reported value; for a rule of the shop its reason. */
  received?: string | undefined
}[] {
  const { order, transfer } = context
  const { reference, isCommentEncrypted } = transfer
  const received = reference === '' && isCommentEncrypted ? 'an encrypted comment' : reference
  const exists = { rule: 'order exists', passed: order !== null, received }
  if (order === null) return [exists]
  const known = withOrder(context, order)
  const builtIn = builtInRules.map(({ name, judge, facts }) =>
    explain(name, () => judge(known), facts(known)),
  )
  const own = context.rules.map((rule, index) => {
    const name = nameOf(rule, index)
    return explain(name, () => callRule(rule, name, { order, transfer }))
  })
  return [exists, ...builtIn, ...own]
}

function explain(
  rule: string,
  judge: () => object | undefined,
  facts?: Pick<RuleVerdict, 'expected' | 'received'>,
): RuleVerdict {
  try {
    const rejection = judge()
    const reason =
      rejection !== undefined && 'reason' in rejection ? String(rejection.reason) : undefined
    return { rule, passed: rejection === undefined, ...(facts ?? { received: reason }) }
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    return { rule, passed: false, received: 'the rule threw an error' }
  }
}

function nameOf<O extends Order>(rule: Rule<O>, index: number): string {
  return rule.name || `rules[${index}]`
}

/** @throws {RuleError} when the rule throws or returns no verdict. */
function callRule<O extends Order>(
  rule: Rule<O>,
  name: string,
  context: { order: O; transfer: TransferData },
): ReturnType<Rule<O>> {
  const call = { rule: name, reference: context.order.reference, isVerdict }
  return callGuarded(call, () => rule(context))
}

/** Returns the input of the built-in rules, with a function `amounts` that is checked. */
function withOrder<O extends Order>(context: DecideContext<O>, order: O): RuleContext<O> {
  const { amounts, transfer } = context
  if (typeof amounts !== 'function') return { ...context, order }
  const call = { rule: 'amounts', reference: transfer.reference, isVerdict: isBoolean }
  return {
    ...context,
    order,
    amounts: (pair, facts) => callGuarded(call, () => amounts(pair, facts)),
  }
}

interface GuardedCall<Result> {
  rule: string
  reference: string
  /** Checked at run time: in JavaScript a promise would count as `true`. */
  isVerdict: (value: unknown) => value is Result
}

function callGuarded<Result>(
  { rule, reference, isVerdict: isRight }: GuardedCall<Result>,
  call: () => unknown,
): Result {
  let verdict: unknown
  try {
    verdict = call()
  } catch (cause) {
    throw new RuleError({ rule, reference, cause })
  }
  if (isRight(verdict)) return verdict
  // Otherwise the promise's rejection would be unhandled.
  if (verdict instanceof Promise) verdict.catch(() => undefined)
  const cause = new TypeError(
    `returned ${verdict instanceof Promise ? 'a promise' : typeof verdict}. Rules are synchronous: amounts must return a boolean, a rule undefined or { reason }`,
  )
  throw new RuleError({ rule, reference, cause })
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isVerdict(value: unknown): value is { reason: string } | undefined {
  if (value === undefined) return true
  return (
    typeof value === 'object' &&
    value !== null &&
    'reason' in value &&
    typeof value.reason === 'string'
  )
}
