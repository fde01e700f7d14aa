import { parseBaseUnits } from './amount.js'
import type { AmountMismatchDecision, Decision, PaidDecision } from './decision.js'

/**
 * What is out of the ordinary about a transfer, by name.
 * - `lost_webhook`: it pays its order, and only a reconciler found it.
 * - `underpaid`, `overpaid`: another amount than the order's.
 * - `paid_twice`: another transfer has completed the order.
 * - `paid_late`: the order had expired, or was cancelled.
 * - `paid_early`: it took place before the order was stored.
 * - `wrong_asset`: the right wallet got another asset.
 */
export type Finding =
  | 'lost_webhook'
  | 'underpaid'
  | 'overpaid'
  | 'paid_twice'
  | 'paid_late'
  | 'paid_early'
  | 'wrong_asset'

/** All that a decision says by these names; nothing for most of them. */
export function findingsOf(decision: Decision): Finding[] {
  switch (decision.kind) {
    case 'paid':
      return ofPayment(decision)
    case 'amount_mismatch':
      return ofAmount(decision)
    case 'extra_payment':
      return ['paid_twice']
    case 'paid_after_cancel':
      return ['paid_late']
    case 'asset_mismatch':
      return ['wrong_asset']
    default:
      return []
  }
}

function ofPayment({ foundBy, late, early }: PaidDecision): Finding[] {
  const findings: Finding[] = []
  if (foundBy !== undefined) findings.push('lost_webhook')
  if (late) findings.push('paid_late')
  if (early === true) findings.push('paid_early')
  return findings
}

/** What was sent may be no amount at all. */
function ofAmount({ expected, received, asset }: AmountMismatchDecision): Finding[] {
  // Amounts of two assets do not compare.
  if (asset !== undefined) return ['wrong_asset']
  const amount = parseBaseUnits(received)
  if (amount === undefined || amount === BigInt(expected)) return []
  return amount < BigInt(expected) ? ['underpaid'] : ['overpaid']
}
