import type { TaskOutcome } from '../inbox/inbox-tasks.js'
import type { Order } from '../orders/order.js'
import type { PaymentVerifier } from '../ledger/payment-verifier.js'
import type { EngineParts, ProvingParts } from './engine-parts.js'
import { proveReport } from './prove-report.js'
import { showCredits } from './show-credits.js'
import { isToldByChain } from './bad-news.js'
import type { RunnableTask, TaskRunner } from './run-task.js'

/** Concurrent proofs; more would only wait for the rate limit together. */
export const PROOF_CONCURRENCY = 4
/** Longer than the requests of one attempt may take. */
const TIMEOUT_MS = 150_000
/** For attempts that do not count, for example while a database is unreachable. */
const RETRY = { maxAttempts: Infinity, minDelayMs: 1000, maxDelayMs: 300_000 }

/**
 * Replaces a proof that was disabled: reports that wait for it become `unverified`, and no order is paid without one. The
 * deadline is for deploys that enable or disable it: another process may have the proof.
 */
const NO_PROOF: PaymentVerifier = {
  deadlineMs: 3_600_000,
  verify: () => {
    const detail = 'verifyOnChain was disabled; decide the report again when it is enabled'
    return Promise.resolve({ kind: 'pending', reason: 'not_asked', detail })
  },
}

/** Looks once for the payment of a report, or for the credits of a report that fits no order. */
async function runProof<O extends Order>(
  engine: ProvingParts<O>,
  task: RunnableTask,
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const report = await engine.stores.inbox.reports.find(task.reportId)
  if (report?.decision === undefined) return { kind: 'done' }
  if (isToldByChain(report.decision)) return showCredits(engine, { task, report }, signal)
  return proveReport(engine, { task, report }, signal)
}

/** Creates the runner of the tasks that prove payments on the chain. */
export function createProofRunner<O extends Order>(engine: EngineParts<O>): TaskRunner {
  const { proof = NO_PROOF } = engine.policy
  const proving = { ...engine, policy: { ...engine.policy, proof } }
  return {
    retry: RETRY,
    timeoutMs: TIMEOUT_MS,
    run: (task, signal) => runProof(proving, task, signal),
  }
}
