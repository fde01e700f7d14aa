import type { Report } from '../inbox/inbox-reports.js'
import { PROOF_TASK, type NewTask } from '../inbox/inbox-tasks.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import { backoffDelay } from '../../shared/timers.js'
import { waitsForChain } from './bad-news.js'

const MATCH_BACKOFF = { minDelayMs: 1000, maxDelayMs: 3_600_000 }
/** The watcher shows a payment some seconds after its webhook. */
const CHAIN_BACKOFF = { minDelayMs: 5000, maxDelayMs: 3_600_000 }
/** The proof has a task of its own; this is for a report whose order is decided otherwise in the meantime. */
const VERIFYING_RETRY_MS = 3_600_000

/** One task for each time that the report begins to wait for its proof. */
export function proofTask({ id }: Report, { sinceMs }: DecisionOf<'verifying'>): NewTask {
  return { handler: PROOF_TASK, idempotencyKey: JSON.stringify([PROOF_TASK, id, sinceMs]) }
}

/** The task that finds the credits of a report, which waits for the chain; one for each report. */
export function creditTask({ id }: Report): NewTask {
  return { handler: PROOF_TASK, idempotencyKey: JSON.stringify([PROOF_TASK, id, 'credits']) }
}

/** Returns the delay after which a decision that is not final is made again. */
export function nextLookInMs(
  report: Report,
  { decision, nowMs }: { decision: Decision; nowMs: number },
): number | undefined {
  const { attempts, reference } = report
  if (decision.kind === 'verifying') return VERIFYING_RETRY_MS
  if (decision.kind === 'unknown_order' && reference !== '') {
    return backoffDelay(MATCH_BACKOFF, attempts + 1)
  }
  return waitsForChain(report, { decision, nowMs })
    ? backoffDelay(CHAIN_BACKOFF, attempts + 1)
    : undefined
}
