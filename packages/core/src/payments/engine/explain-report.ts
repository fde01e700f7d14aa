import type { Report } from '../inbox/inbox-reports.js'
import { explainRules, type RuleVerdict } from '../orders/decide.js'
import type { Order } from '../orders/order.js'
import { readStoredTransfer } from '../orders/payload.js'
import { acceptedBy } from './accepted-money.js'
import { formerLateRule } from './apply-rules.js'
import type { Policy } from './engine-parts.js'

/** Returns the verdict of each rule about a report; none about an unreadable one, or an unreadable acceptance. */
export function explainReport<O extends Order>(
  { wallets, amounts, rules }: Policy<O>,
  report: Report,
  order: O | null,
): RuleVerdict[] {
  const { problem, rawBody, txHash, wasCompletedBefore, source, receivedAtMs } = report
  if (problem !== undefined) return []
  const transfer = readStoredTransfer(rawBody)
  const lateRule = formerLateRule(report)
  const known = { order, transfer, txHash, wasCompletedBefore, source, receivedAtMs }
  const accepted = acceptedBy(report)
  if (accepted !== undefined && 'unreadable' in accepted) return []
  const facts = { ...known, lateRule, accepted }
  return explainRules<O>({ ...facts, wallets, amounts, rules })
}
