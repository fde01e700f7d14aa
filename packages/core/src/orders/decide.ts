import { RuleError } from '../errors/webhook.js'
import type { TransferData } from '../webhook/payload.js'
import type { Decision } from './decision.js'
import type { Order, PaymentSource } from './order.js'
import { receiverRules, type Rule, type RuleContext } from './rules.js'

/** The shop's rules, next to what the receiver's rules look at. */
export interface DecideContext<O extends Order = Order> extends Omit<RuleContext<O>, 'order'> {
  order: O | null
  rules: readonly Rule<O>[]
}

/**
 * What the rules conclude about a transfer: the first decision of rules 3 to 7 and of the shop's own rules, else
 * `paid`, which holds only once the order's transition was applied (rule 8). Changes nothing.
 * @throws {RuleError} when a function given in the options throws.
 */
export function decide<O extends Order>(context: DecideContext<O>): Decision {
  const { order, transfer, txHash } = context
  if (order === null) return { kind: 'unmatched', reference: transfer.reference, txHash }
  const known = { ...context, order, acceptAmount: guardAcceptAmount(context) }
  for (const rule of receiverRules) {
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
  const foundBy = sourceOf(known)
  return {
    kind: 'paid',
    reference: order.reference,
    txHash,
    expected: order.rawAmount.toString(),
    received: transfer.rawAmount,
    amountRule: context.acceptAmount === undefined ? 'equal' : 'custom',
    late: order.payment?.late ?? order.status === 'expired',
    ...(foundBy !== undefined && { foundBy }),
    ...(isBefore(transfer, order) && { early: true }),
  }
}

/** Where the payment was found; `undefined` too when a webhook told it, which has completed the order meanwhile. */
function sourceOf({
  order,
  foundBy,
}: Pick<RuleContext<Order>, 'order' | 'foundBy'>): PaymentSource | undefined {
  return foundBy !== undefined && order.status === 'completed' && order.payment
    ? order.payment.foundBy
    : foundBy
}

/** The chain tells whole seconds. */
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
  /** Types do not hold callers in JavaScript: a promise would pass for `true`. */
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
  // Nobody else will look at a promise's rejection.
  if (verdict instanceof Promise) verdict.catch(() => undefined)
  const cause = new TypeError(
    `answered ${verdict instanceof Promise ? 'a promise' : typeof verdict}. Rules are synchronous: acceptAmount answers a boolean, a rule undefined or { reason }`,
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
