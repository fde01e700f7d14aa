import { RuleError } from '../errors/webhook.js'
import type { Decision } from './decision.js'
import type { Order } from './order.js'
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
  for (const rule of context.rules) {
    const rejection = callGuarded(rule.name || 'rules', transfer.reference, () =>
      rule({ order, transfer }),
    )
    if (rejection !== undefined) {
      const { reference } = order
      return { kind: 'rejected', reference, txHash, rule: rule.name, reason: rejection.reason }
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
  }
}

function guardAcceptAmount<O extends Order>(
  context: DecideContext<O>,
): RuleContext<O>['acceptAmount'] {
  const { acceptAmount, transfer } = context
  if (acceptAmount === undefined) return undefined
  return (amounts, facts) =>
    callGuarded('acceptAmount', transfer.reference, () => acceptAmount(amounts, facts))
}

function callGuarded<Result>(rule: string, reference: string, call: () => Result): Result {
  try {
    return call()
  } catch (cause) {
    throw new RuleError({ rule, reference, cause })
  }
}
