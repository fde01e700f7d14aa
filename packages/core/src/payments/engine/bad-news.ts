import type { Report } from '../inbox/inbox-reports.js'
import type { Decision, DecisionKind, DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { ReadReport } from './compare-reports.js'
import { DECISIONS, type KindWith } from './decision-table.js'

/** A decision about money that fits no order. Several reports may name it, and it is reported for one of them. */
export type BadNews = DecisionOf<KindWith<'money', 'held' | 'unassigned'>>

/** After this time without the payment on the chain, an operator has to check the report. */
export const LONGEST_WAIT_MS = 86_400_000

const FOR_ORDER = 'order:'

/** A report with its transfer and its order. */
export interface ToldReport extends ReadReport {
  order?: Order | null | undefined
  /** Absent while the proof has not shown it. */
  shown?: ShownCredit | undefined
}

/** The money of a report as the proof has shown it. */
export interface ShownCredit {
  /** The id of the credit, if it is known. */
  credit: string | undefined
  /** The same money has paid the order. */
  hasPaid?: boolean | undefined
}

/** Returns true for a decision about money that fits no order. */
export function isBadNews(decision: Decision): decision is BadNews {
  return DECISIONS[decision.kind].money !== undefined
}

/** Returns true for a decision that waits until the chain shows its money, or whose money the chain has reported. */
export function isToldByChain(decision: Decision): boolean {
  return isBadNews(decision) && decision.toldByChain === true
}

/** Returns true while a report waits for its payment on the chain. */
export function waitsForChain(
  { receivedAtMs }: Report,
  { decision, nowMs }: { decision: Decision; nowMs: number },
): boolean {
  return isToldByChain(decision) && nowMs - receivedAtMs < LONGEST_WAIT_MS
}

/** Returns true for a report with such a decision. */
export function wasToldByChain({ decision }: Report): boolean {
  return decision !== undefined && isToldByChain(decision)
}

/** Returns true when handlers have run for a decision about the order, which is then not silenced. */
export function hasToldOfOrder({ decision }: Report): boolean {
  return decision !== undefined && isBadNews(decision) && decision.kind !== 'unknown_order'
}

/** Returns true for a report that has told the same news about no known credit. */
export function hasTold({ decision }: Report, { kind }: BadNews): boolean {
  if (decision === undefined || !isBadNews(decision)) return false
  const isSame = (decision.kind === 'unknown_order') === (kind === 'unknown_order')
  const { credit } = decision
  const isKnown = credit !== undefined && !credit.startsWith(FOR_ORDER)
  return isSame && decision.toldByChain !== true && !isKnown
}

/** Returns true for a report that repeats bad news. */
export function isRepetition({ decision }: Report): boolean {
  return (
    decision?.kind === 'duplicate' &&
    decision.first !== undefined &&
    DECISIONS[decision.first].money !== undefined
  )
}

/** Returns the credit that the decision of a report is about: a webhook names none itself. */
export function decidedCredit({ decision }: Report): string | undefined {
  return decision !== undefined && isBadNews(decision) ? decision.credit : undefined
}

/** Returns the id of a credit for the events of one order. Events of other orders about the credit run too. */
export function creditForOrder({ merchant, reference }: Report, credit: string): string {
  return `${FOR_ORDER}${JSON.stringify([merchant, reference, credit])}`
}

/** Returns the decision about a repetition of another report. */
export function duplicateOf({ reference, txHash }: Report, first: DecisionKind): Decision {
  return { kind: 'duplicate', reference, txHash, first }
}
