import { z } from 'zod'
import type { OperatorAction, ReportFilter } from '../inbox/inbox.js'
import { DECISION_KINDS, type Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { parseOptions, type OptionSchemas } from '../shared/options.js'
import type { Background } from './background.js'
import { decideReport, type Decidable } from './decide-report.js'
import { findReportedMoney } from './reported-money.js'
import { operatorNote, toNewReport, type OperatorNote, type TransferReport } from './report.js'
import { duplicateOf, storeReport, type SubmitOptions } from './submit.js'

/** The Payments that an operator acts on. */
export interface OperatedPayments<O extends Order> {
  options: SubmitOptions<O> & { name: string }
  background: Pick<Background<O>, 'registration' | 'reports' | 'wakeTasks'>
  state: 'idle' | 'started' | 'closed'
}

/** Selects reports to decide again; at least one field is required. */
export type RedecideFilter = Omit<ReportFilter, 'name' | 'ids'>

/** The handlers to run again. */
interface RetryQuery {
  reportId: string
  handler?: string | undefined
}

/** A transaction, and the order that an operator assigns it to. */
interface Attachment {
  transactionHash: string
  order: { reference: string; merchant: string }
}

const NOTE = z.strictObject(operatorNote)
const FILTER = z
  .strictObject({
    merchant: z.string().optional(),
    reference: z.string().optional(),
    state: z.enum(['parked', 'decided', 'unreadable']).optional(),
    decision: z.enum(DECISION_KINDS).optional(),
    receivedAfterMs: z.number().optional(),
  } satisfies OptionSchemas<RedecideFilter>)
  .refine((filter) => Object.keys(filter).length > 0, {
    error:
      'is empty; expected at least one of merchant, reference, state, decision, receivedAfterMs',
  })
const RETRY = z.strictObject({
  reportId: z.string().min(1),
  handler: z.string().optional(),
} satisfies OptionSchemas<RetryQuery>)
const ATTACHMENT = z.strictObject({
  transactionHash: z.string().min(1),
  order: z.strictObject({ reference: z.string().min(1), merchant: z.string() }),
  ...operatorNote,
} satisfies OptionSchemas<Attachment & OperatorNote>)

/** See `Payments.redecide`. */
export async function redecide<O extends Order>(
  { options, background }: OperatedPayments<O>,
  filter: string | RedecideFilter,
  note: OperatorNote,
): Promise<number> {
  const { inbox, name } = options
  const isId = typeof filter === 'string'
  const query = isId ? { ids: [filter] } : parseOptions(FILTER, filter, { path: 'filter' })
  if (isId) await recordAction(options, { reportId: filter, action: 'redecide' }, note)
  const count = await inbox.redecide({ ...query, name })
  if (count > 0) background.reports.wake()
  return count
}

/** See `Payments.retry`. */
export async function retry<O extends Order>(
  { options, background }: OperatedPayments<O>,
  given: RetryQuery,
  note: OperatorNote,
): Promise<number> {
  const { inbox, name } = options
  const { reportId, handler } = parseOptions(RETRY, given, { path: 'retry' })
  const report = await inbox.find(reportId)
  if (report?.name !== name) return 0
  const tasks = await inbox.listTasks({ reportIds: [reportId] })
  const unfinished = tasks.filter(
    (task) =>
      (task.state === 'dead' || task.state === 'relayed') &&
      (handler ?? task.handler) === task.handler,
  )
  if (unfinished.length === 0) return 0
  await recordAction(options, { reportId, action: 'retry' }, note)
  const reset = await Promise.all(unfinished.map(({ id }) => inbox.replay(id)))
  const count = reset.filter(Boolean).length
  if (count > 0) background.wakeTasks()
  return count
}

/** Stores what an operator does about a report of this Payments. Without `by` there is nothing to store. */
async function recordAction<O extends Order>(
  { inbox, name }: OperatedPayments<O>['options'],
  { reportId, action }: Pick<OperatorAction, 'reportId' | 'action'>,
  given: OperatorNote,
): Promise<void> {
  const { by, note = '' } = parseOptions(NOTE, given, { path: 'note' })
  if (by === undefined) return
  const report = await inbox.find(reportId)
  if (report?.name !== name) return
  await inbox.recordAction({ reportId, action, by, note })
}

/** See `Payments.attach`. */
export async function attach<O extends Order>(
  { options, background, state }: OperatedPayments<O>,
  attachment: Attachment,
  note: OperatorNote,
): Promise<Decision | undefined> {
  parseOptions(ATTACHMENT, { ...note, ...attachment }, { path: 'attach' })
  const { registration, reports } = background
  const isStarted = state === 'started'
  if (isStarted) await registration.ready()
  // A process with another policy leaves the decision to the others.
  const mayDecide = isStarted && registration.isPinned()
  const stored = await storeAttachment(options, { ...attachment, note, mayDecide })
  const { report, transfer } = stored
  if (report.decision?.kind === 'paid') return duplicateOf(report)
  // One that was not accepted before is decided again.
  if (report.decision !== undefined) {
    const query = { name: options.name, ids: [report.id] }
    await options.inbox.redecide(query)
  }
  if (!mayDecide) {
    if (isStarted) reports.wake()
    return undefined
  }
  const decision = await decideReport(options, stored)
  options.announce(decision, transfer, report)
  return decision
}

/** Stores an operator's report of a transfer that was reported before. Unless it is decided now, it is due at once. */
async function storeAttachment<O extends Order>(
  options: OperatedPayments<O>['options'],
  given: Attachment & { note: OperatorNote; mayDecide: boolean },
): Promise<Decidable<O>> {
  const { inbox, name } = options
  const { transactionHash, order, note, mayDecide } = given
  const { reference, merchant } = order
  const found = await findReportedMoney(inbox, { name, merchant, transactionHash })
  const transfer = { ...found.transfer, reference }
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  const rawBody = JSON.stringify({ ...payload, operator: { by: note.by, note: note.note } })
  const { payments } = found
  const report: TransferReport = { merchant, source: 'operator', rawBody, transfer, payments }
  const row = { ...toNewReport(name, report), ...(!mayDecide && { retryInMs: 0 }) }
  return { ...(await storeReport(options, row)), transfer }
}
