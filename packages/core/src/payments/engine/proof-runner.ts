import type { Order } from '../orders/order.js'
import type { PaymentVerifier } from '../ledger/payment-verifier.js'
import type { Logger } from '../../shared/logger.js'
import { proveReport } from './prove-report.js'
import type { TaskRunner } from './run-task.js'
import type { SubmitOptions } from './submit.js'

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

/** Creates the runner of the tasks that prove payments on the chain. */
export function createProofRunner<O extends Order>(
  options: SubmitOptions<O>,
  logger: Logger,
): TaskRunner {
  const { proof = NO_PROOF } = options
  return {
    retry: RETRY,
    timeoutMs: TIMEOUT_MS,
    run: (task, signal) => proveReport({ ...options, proof, logger }, task, signal),
  }
}
