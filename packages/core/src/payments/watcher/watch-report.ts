import type { Decision, DecisionKind } from '../orders/decision.js'

/** The result of one run. Plain data. */
export interface WatchReport {
  startedAtMs: number
  durationMs: number
  /** False when the run failed or its time was over; the next run continues. */
  isComplete: boolean
  /** Why the run is not complete. */
  problem?: string | undefined
  openOrders: number
  /** Creation time of the oldest open order, milliseconds since the Unix epoch; absent when it is unknown. */
  oldestOpenMs?: number | undefined
  /** Decisions about the transfers that were found, repetitions included. */
  decisions: Partial<Record<DecisionKind, number>>
  /** Orders that were paid after they had expired. */
  late: number
  /** Orders that were paid before they were stored. */
  early: number
  /** Transfers that were stored undecided, because Payments is not started: a started process decides them. */
  stored: number
  /** Transactions that could not be explained yet, and are retried. */
  unsettled: number
  /** Payments that match several orders and complete none; handle them manually. */
  ambiguous: number
  /** Open orders without a recipient wallet: neither `recipient` of the order nor `wallets` of Payments. */
  unwatched: number
  /** Payments whose decision failed; they are stored and retried. */
  failed: number
  /** The time of the chain up to which all transfers are known, Unix seconds; absent before a run was complete. */
  scannedTo?: number | undefined
}

/** The counters of a run. */
export type Tally = Omit<WatchReport, 'durationMs' | 'isComplete' | 'problem'>

/** Creates the counters of a run. */
export function createTally(startedAtMs: number): Tally {
  return {
    startedAtMs,
    openOrders: 0,
    decisions: {},
    late: 0,
    early: 0,
    stored: 0,
    unsettled: 0,
    ambiguous: 0,
    unwatched: 0,
    failed: 0,
  }
}

/** Counts a transfer that was submitted. */
export function countDecision(tally: Tally, decision: Decision | undefined): void {
  if (decision === undefined) {
    tally.stored++
    return
  }
  const { kind } = decision
  tally.decisions[kind] = (tally.decisions[kind] ?? 0) + 1
  if (kind !== 'paid') return
  if (decision.isLate) tally.late++
  if (decision.isEarly === true) tally.early++
}
