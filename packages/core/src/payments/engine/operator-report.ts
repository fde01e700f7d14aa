import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { Background } from './background.js'
import { decideWithParts } from './decide-with-parts.js'
import type { EngineParts } from './engine-parts.js'
import type { ClaimLateRefunds } from './late-refunds.js'
import { toNewReport, type TransferReport } from './report.js'
import { duplicateOf, storeReport } from './submit.js'

/** The Payments that an operator acts on. */
export interface OperatedPayments<O extends Order> extends EngineParts<O> {
  name: string
  background: Pick<Background<O>, 'registration' | 'wakeReports'>
  state: 'idle' | 'started' | 'closed'
}

/** The key of an operator's report, and its look for late refunds. */
interface OperatorSubmission {
  /** Replaces the key that equal transfers have. */
  key?: string | undefined
  /** Replaces the look of a watcher. */
  claimLateRefunds?: ClaimLateRefunds | undefined
}

/** See `PaymentsInternals.submitByOperator`. */
export async function submitByOperator<O extends Order>(
  engine: OperatedPayments<O>,
  given: TransferReport,
  { key, claimLateRefunds }: OperatorSubmission = {},
): Promise<{ reportId: string; decision?: Decision | undefined }> {
  const { name, stores, policy, background, state } = engine
  const { registration } = background
  const isStarted = state === 'started'
  if (isStarted) await registration.ready()
  // A process with another policy leaves the decision to the others.
  const mayDecide = isStarted && registration.isPinned()
  const row = {
    ...toNewReport(name, given),
    ...(key !== undefined && { key }),
    ...(!mayDecide && { retryInMs: 0 }),
  }
  const stored = await storeReport(stores, row)
  const { id: reportId, decision: former } = stored.report
  if (former?.kind === 'paid') return { reportId, decision: duplicateOf(stored.report) }
  // One that was not accepted before is decided again.
  if (former !== undefined) await stores.inbox.reports.redecide({ name, ids: [reportId] })
  if (!mayDecide || given.transfer === undefined) {
    if (isStarted) background.wakeReports()
    return { reportId }
  }
  const runtime = { ...engine.runtime, ...(claimLateRefunds && { claimLateRefunds }) }
  const own = { stores, policy, runtime }
  const decision = await decideWithParts(own, { ...stored, transfer: given.transfer })
  runtime.announce(decision, given.transfer, stored.report)
  return { reportId, decision }
}
