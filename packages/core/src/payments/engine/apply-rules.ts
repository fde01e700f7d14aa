import type { Report } from '../inbox/inbox-reports.js'
import { decide } from '../orders/decide.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { describeTooOld, isOlder, timeOf, TOO_OLD_FIELD } from '../orders/order-age.js'
import type { TransferData } from '../orders/payload.js'
import type { RuleContext } from '../orders/rules.js'
import { acceptedBy } from './accepted-money.js'
import type { EngineParts, Policy } from './engine-parts.js'
import { judgeLate } from './judge-late.js'
import { identify } from './report.js'
import type { ShownCredit } from './bad-news.js'

/** A stored report, and its transfer. */
export interface ReportedFacts {
  report: Report
  transfer: TransferData
  order?: Order | null | undefined
  /** The proof has shown the money of the report, which waits no longer for the chain. */
  shown?: ShownCredit | undefined
}

/** A stored report with its order, as read when the report arrived or later. */
export interface Decidable<O extends Order> extends ReportedFacts {
  order: O | null
}

/** Returns the verdict of the shop's rule about late payments. */
export function lateRuleOf<O extends Order>(
  { policy: { acceptLate }, runtime: { clock } }: EngineParts<O>,
  facts: Decidable<O>,
): ReturnType<typeof judgeLate> | undefined {
  return acceptLate && judgeLate({ acceptLate, clock }, facts)
}

/** Returns the outcome of the rules, without an on-chain proof. */
export function applyRules<O extends Order>(
  { wallets, amounts, rules }: Policy<O>,
  { report, transfer, order }: Decidable<O>,
  lateRule: RuleContext['lateRule'] = formerLateRule(report),
): Decision {
  const { txHash, wasCompletedBefore, source, receivedAtMs } = report
  const accepted = acceptedBy(report)
  if (accepted !== undefined && 'unreadable' in accepted) {
    const detail = `the stored acceptance is not readable: ${accepted.unreadable}`
    return { kind: 'unverified', ...identify(report), reason: 'unreadable', detail }
  }
  const known = { order, transfer, txHash, wasCompletedBefore, source, receivedAtMs }
  const facts = { ...known, lateRule, accepted }
  const decision = decide<O>({ ...facts, wallets, amounts, rules })
  if (decision.kind !== 'paid' || order?.status === 'completed') return decision
  const { decision: former } = report
  // A report that has waited for its proof is late only if the order had expired when it arrived.
  const hasWaited = former?.kind === 'verifying' || former?.kind === 'unverified'
  const isLate = hasWaited ? (former.isLate ?? decision.isLate) : decision.isLate
  const detail = report.source === 'chain' && order ? whyTooOld(order, transfer) : undefined
  if (detail === undefined) return { ...decision, isLate }
  return { kind: 'unverified', ...identify(report), reason: 'older', detail, isLate }
}

/** A report whose payment is being proven, or was, has passed the shop's rule about late payments. */
export function formerLateRule({ decision }: Pick<Report, 'decision'>): RuleContext['lateRule'] {
  return decision?.kind === 'verifying' || decision?.kind === 'paid' ? 'accepted' : undefined
}

/** Returns why a payment that the watcher found is too old for its order, unless the order was dated again since. */
function whyTooOld({ reference, createdAt }: Order, transfer: TransferData): string | undefined {
  if (transfer[TOO_OLD_FIELD] !== true) return undefined
  const utime = Math.floor(Date.parse(transfer.date) / 1000)
  const createdMs = timeOf(createdAt)
  return isOlder({ utime, createdMs })
    ? describeTooOld({ reference, createdMs }, { utime })
    : undefined
}

/**
 * Returns true when a payment must be proven before it counts. An order that this very transfer completed was proven
 * before; only the record is missing, for which a report that waits for its proof is proven again: the record names the
 * message that paid. A report that is `verifying` is not paid without a proof even when proofs are disabled.
 */
export function needsProof<O extends Order>(
  { proof }: Policy<O>,
  { report, order }: Decidable<O>,
  concluded: Decision,
): concluded is DecisionOf<'paid'> {
  if (concluded.kind !== 'paid') return false
  if (proof === undefined && report.decision?.kind !== 'verifying') return false
  if (!hasCompleted(report, order)) return true
  return proof !== undefined && report.source !== 'chain' && isUnproven(report)
}

/** A replayed task proves again what was unverified. */
export function isUnproven({ decision }: Report): boolean {
  return decision?.kind === 'verifying' || decision?.kind === 'unverified'
}

/** Returns true when the order was completed by the transfer of this report. */
export function hasCompleted({ txHash }: Report, order: Order | null): boolean {
  return order?.status === 'completed' && order.payment?.txHash === txHash
}
