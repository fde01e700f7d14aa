import type { RecordedAction } from '../inbox/inbox-reports.js'
import type { RuleVerdict } from '../orders/decide.js'
import type { Order, ReceivedAmount } from '../orders/order.js'
import { keyOf } from '../engine/report.js'
import { receivedFor } from '../engine/order-received.js'
import { withRecordedPayment } from '../engine/recorded-payment.js'
import { withJson } from '../../shared/with-json.js'
import type { OperatorContext } from './context.js'

/** A report as it was received, its order, and the verdict of each rule. */
export interface InspectedReport<O extends Order = Order> {
  /** As received. */
  rawBody: string
  /** The name of the secret that signed it; `''` for reports that are not webhooks. */
  signedWith: string
  order: O | null
  /**
   * Base units that the chain has shown for the order, by asset: those that it uses, and unused ones that name it alone. Absent
   * while they are unknown: neither a watcher nor a proof has found a payment of the order, or a webhook has completed it and
   * its money is not linked yet.
   */
  received?: readonly ReceivedAmount[] | undefined
  /** Empty for an unreadable report. */
  rules: RuleVerdict[]
  /** Actions of operators, newest first; assignments and refunds are reports of their own. */
  actions: ReportAction[]
}

/** An action of an operator about a report. */
export interface ReportAction {
  /** `sign` and `end_signing`: a wallet was asked to sign a proposed refund, and it has declined. */
  action: RecordedAction['action']
  by: string
  /** `''` when nothing was given. */
  reason: string
  /** Milliseconds since the Unix epoch. */
  atMs: number
}

/** The note of a signing is its id. */
function isSigning(action: RecordedAction['action']): boolean {
  return action === 'sign' || action === 'end_signing'
}

/** See `Operator.inspect`. @throws {RepositoryError} when a store fails. */
export async function inspectReport<O extends Order>(
  { inbox, orders, name, engine }: OperatorContext<O>,
  reportId: string,
): Promise<InspectedReport<O> | undefined> {
  const report = await inbox.reports.find(reportId)
  if (report?.name !== name) return undefined
  const order = await orders.find(keyOf(report))
  const acted = await inbox.reports.listActions({ reportIds: [reportId] })
  const actions = acted.map(({ action, by, note, atMs }) => ({
    action,
    by,
    reason: isSigning(action) ? '' : note,
    atMs,
  }))
  const { rawBody, signedWith } = report
  const recorded = await withRecordedPayment(inbox, report, order)
  const rules = engine.explain(report, recorded)
  const received = recorded && (await receivedFor(inbox, report, recorded))
  return withJson({ rawBody, signedWith, order, ...(received && { received }), rules, actions })
}
