import { z } from 'zod'
import { attempt } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { parseOptions, type OptionSchemas } from '../shared/options.js'
import { operatorNote, toNewReport, type OperatorNote, type TransferReport } from './report.js'
import { findReportedMoney } from './reported-money.js'
import { duplicateOf, storeReport, type SubmitOptions } from './submit.js'
import { decideReport, type Decidable } from './decide-report.js'

/** Deciding, under the name of a Payments. */
export interface AttachOptions<O extends Order> extends SubmitOptions<O> {
  name: string
}

/** A transaction, and the order that an operator assigns it to. */
export interface Attachment extends OperatorNote {
  transactionHash: string
  order: { reference: string; merchant: string }
}

const ATTACHMENT = z.strictObject({
  transactionHash: z.string().min(1),
  order: z.strictObject({ reference: z.string().min(1), merchant: z.string() }),
  ...operatorNote,
} satisfies OptionSchemas<Attachment>)

/** @throws {ConfigurationError} when a field is missing, unknown or too long. */
export function checkAttachment(attachment: Attachment): void {
  parseOptions(ATTACHMENT, attachment, { path: 'attach' })
}

/**
 * Stores an operator's report of a transfer that was reported before.
 * @param changes of the row to store
 * @throws {ConfigurationError} when no report shows that this transaction brought money.
 */
export async function storeAttachment<O extends Order>(
  options: AttachOptions<O>,
  { transactionHash, order, by, note }: Attachment,
  changes: { retryInMs?: number } = {},
): Promise<Decidable<O>> {
  const { inbox, name } = options
  const { reference, merchant } = order
  const found = await findReportedMoney(inbox, { name, merchant, transactionHash })
  const transfer = { ...found.transfer, reference }
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  const rawBody = JSON.stringify({ ...payload, operator: { by, note } })
  const { payments } = found
  const report: TransferReport = { merchant, source: 'operator', rawBody, transfer, payments }
  const row = { ...toNewReport(name, report), ...changes }
  return { ...(await storeReport(options, row)), transfer }
}

/** Decides an operator's report. One that was not accepted before is decided again. */
export async function decideAttachment<O extends Order>(
  options: AttachOptions<O>,
  stored: Decidable<O>,
): Promise<Decision> {
  const { report, transfer } = stored
  if (report.decision?.kind === 'paid') return duplicateOf(report)
  if (report.state === 'decided') {
    const query = { name: options.name, ids: [report.id] }
    await attempt('inbox.redecide', () => options.inbox.redecide(query))
  }
  const decision = await decideReport(options, stored)
  options.announce(decision, transfer, report)
  return decision
}
