import type { Decision, DecisionKind } from '../orders/decision.js'
import { findingsOf, type Finding } from '../orders/finding.js'

/** What one run has done. Plain data. */
export interface ReconcileReport {
  startedAtMs: number
  durationMs: number
  /** Whether it came to its end. What it has not done the next run does. */
  isComplete: boolean
  /** Why it did not: API v3, the gateway or a store could not be asked, or its time was over. */
  problem?: string | undefined
  openOrders: number
  /** When the oldest of them was created, milliseconds since the Unix epoch; absent when there is none, or they do not say. */
  oldestOpenMs?: number | undefined
  /** What was found, by name. A payment that a webhook had told before is none. */
  found: Partial<Record<Finding, number>>
  /** What was decided about all that was found, repetitions included. */
  decisions: Partial<Record<DecisionKind, number>>
  /** Payments that are not final yet, or that the index does not tell yet. */
  unsettled: number
  /** Payments that several open orders could claim, or that have paid another order: somebody has to look at them. */
  ambiguous: number
  /** Open orders for which nobody says who is to be paid: `recipient` of the order, or `recipients` of the receiver. */
  unwatched: number
  /** Payments whose decision failed; the inbox has them, and tries again. */
  failed: number
}

/** What a report is made of while a run goes on. */
export interface Tally extends Omit<ReconcileReport, 'durationMs' | 'isComplete' | 'problem'> {
  count: (decision: Decision) => void
}

/** Nothing found yet. */
export function createTally(startedAtMs: number): Tally {
  const found: Tally['found'] = {}
  const decisions: Tally['decisions'] = {}
  return {
    startedAtMs,
    openOrders: 0,
    found,
    decisions,
    unsettled: 0,
    ambiguous: 0,
    unwatched: 0,
    failed: 0,
    count(decision) {
      decisions[decision.kind] = (decisions[decision.kind] ?? 0) + 1
      for (const finding of findingsOf(decision)) found[finding] = (found[finding] ?? 0) + 1
    },
  }
}
