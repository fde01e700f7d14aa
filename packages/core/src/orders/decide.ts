import { RuleError } from './errors.js'
import type { TransferData } from './payload.js'
import type { Decision } from './decision.js'
import type { Order, ReportSource } from './order.js'
import { builtInRules, type Rule, type RuleContext } from './rules.js'

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
  if (order === null) return { kind: 'unmatched', reference: transfer.reference, txHash }
  const known = { ...context, order, acceptAmount: guardAcceptAmount(context) }
  for (const rule of builtInRules) {
    const decision = rule(known)
    if (decision !== undefined) return decision
  }
  for (const [index, rule] of context.rules.entries()) {
    const name = rule.name || `rules[${index}]`
    const rejection = callGuarded({ rule: name, reference: order.reference, isVerdict }, () =>
      rule({ order, transfer }),
    )
    if (rejection !== undefined) {
      const { reference } = order
      return { kind: 'rejected', reference, txHash, rule: name, reason: rejection.reason }
    }
  }
  return {
    kind: 'paid',
    reference: order.reference,
    txHash,
    expected: order.rawAmount.toString(),
    received: transfer.rawAmount,
    amountRule: context.acceptAmount === undefined ? 'equal' : 'custom',
    late: order.payment?.late ?? order.status === 'expired',
    source: sourceOf(known),
    ...(isBefore(transfer, order) && { early: true }),
  }
}

/** The door that completed the order, if another one has done so by this same transfer since. */
function sourceOf({ order, source }: Pick<RuleContext<Order>, 'order' | 'source'>): ReportSource {
  return order.status === 'completed' && order.payment
    ? (order.payment.source ?? 'webhook')
    : source
}

/** Block times are whole seconds. */
function isBefore({ date }: TransferData, { createdAt }: Order): boolean {
  const latestMs = Date.parse(date) + 999
  return createdAt !== undefined && createdAt !== null && latestMs < createdAt.getTime()
}

function guardAcceptAmount<O extends Order>(
  context: DecideContext<O>,
): RuleContext<O>['acceptAmount'] {
  const { acceptAmount, transfer } = context
  if (acceptAmount === undefined) return undefined
  const call = { rule: 'acceptAmount', reference: transfer.reference, isVerdict: isBoolean }
  return (amounts, facts) => callGuarded(call, () => acceptAmount(amounts, facts))
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
    `returned ${verdict instanceof Promise ? 'a promise' : typeof verdict}. Rules are synchronous: acceptAmount must return a boolean, a rule undefined or { reason }`,
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
