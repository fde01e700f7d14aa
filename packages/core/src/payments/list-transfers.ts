import type { CheckedInbox } from '../inbox/checked-inbox.js'
import { PROOF_TASK, type Report, type TaskProgress } from '../inbox/inbox.js'
import type { Decision } from '../orders/decision.js'
import type { ReportSource } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { isObject } from '../shared/is-object.js'
import { REPORTS_OF_TRANSACTION } from './paid-elsewhere.js'
import { receivedSoFar } from './received-so-far.js'
import type { OperatorNote } from './report.js'
import { toReportQuery, type TransferQuery } from './transfer-query.js'

/** A reported transfer, for an operator. */
type ListedTransfer = Awaited<ReturnType<typeof listTransfers>>[number]

/**
 * Lists reported transfers, newest first. Plain data that survives JSON.
 * @throws {ConfigurationError} for an invalid query.
 */
export async function listTransfers(
  { inbox, name }: { inbox: CheckedInbox; name: string },
  given: TransferQuery,
): Promise<
  {
    reportId: string
    /**
     * The work of an operator.
     * - `none`: an order is paid with it, no money arrived, or its refund was proposed.
     * - `wait`: it is not decided yet, or waits for its proof.
     * - `attach`: the money arrived for no known order. Attach it to its order, or refund it.
     * - `refund`: the money arrived and does not fit its order.
     * - `check`: the report cannot be read, names another wallet, or is not proven. Look at the chain.
     */
    action: 'none' | 'wait' | 'attach' | 'refund' | 'check'
    merchant: string
    /** `''` when it names no order, or is unreadable. */
    reference: string
    /** Same format as `Payment.txHash`. */
    txHash: string
    source: ReportSource
    state: Report['state']
    decision?: Decision | undefined
    /** The transfer as reported; absent for an unreadable report. */
    transfer?: TransferData | undefined
    /** Why the report cannot be read. */
    problem?: string | undefined
    /** Milliseconds since the Unix epoch. */
    receivedAtMs: number
    /**
     * Base units, decimal digits: as {@link MismatchedTransfer.totalReceived}. Present for a transfer of another amount when
     * the transfers of one order are listed.
     */
    totalReceived?: string | undefined
    /** Who attached it or asked for its refund, and why. */
    by?: string | undefined
    note?: string | undefined
    /** Its handlers and their runs; without on-chain proofs. */
    handlers: Omit<TaskProgress, 'reportId'>[]
  }[]
> {
  const query = toReportQuery(given)
  const reports = await inbox.listReports({ ...query, name })
  const tasks = await handlersOf(inbox, reports)
  const handled = await handledMoney(inbox, { name, reports })
  const totals = query.reference === undefined ? undefined : new Map<string, bigint>()
  const listed: ListedTransfer[] = []
  for (const report of reports) {
    const { merchant } = report
    if (totals !== undefined && report.decision?.kind === 'amount_mismatch') {
      totals.set(merchant, totals.get(merchant) ?? (await receivedSoFar(inbox, report)))
    }
    const facts = toListed(report, handled.has(moneyOf(report)), totals?.get(merchant))
    listed.push({ ...facts, handlers: tasks.get(report.id) ?? [] })
  }
  return listed
}

/** Returns the handlers of reports by their ids. */
async function handlersOf(
  inbox: CheckedInbox,
  reports: readonly Report[],
): Promise<Map<string, ListedTransfer['handlers']>> {
  const handlers = new Map<string, ListedTransfer['handlers']>()
  if (reports.length === 0) return handlers
  const reportIds = reports.map(({ id }) => id)
  const tasks = await inbox.listTasks({ reportIds })
  for (const { reportId, ...task } of tasks) {
    if (task.handler === PROOF_TASK) continue
    handlers.set(reportId, [...(handlers.get(reportId) ?? []), task])
  }
  return handlers
}

/** A report of one merchant about a transaction says nothing about the money of another merchant. */
function moneyOf({ merchant, txHash }: Report): string {
  return JSON.stringify([merchant, txHash])
}

/** Returns the money of reports that has paid an order, or whose refund was proposed. */
async function handledMoney(
  inbox: CheckedInbox,
  { name, reports }: { name: string; reports: readonly Report[] },
): Promise<ReadonlySet<string>> {
  const txHashes = [...new Set(reports.map(({ txHash }) => txHash).filter((hash) => hash !== ''))]
  const limit = txHashes.length * REPORTS_OF_TRANSACTION
  const related = limit === 0 ? [] : await inbox.listReports({ name, txHashes, limit })
  return new Set(related.filter(isHandled).map(moneyOf))
}

function isHandled({ decision }: Report): boolean {
  return decision?.kind === 'paid' || decision?.kind === 'refund'
}

function toListed(
  report: Report,
  isDone: boolean,
  total: bigint | undefined,
): Omit<ListedTransfer, 'handlers'> {
  const { id: reportId, merchant, reference, txHash, source, state, receivedAtMs } = report
  const { decision, problem, rawBody } = report
  const isMismatch = decision?.kind === 'amount_mismatch'
  return {
    reportId,
    action: isDone ? 'none' : actionOf(report),
    merchant,
    reference,
    txHash,
    source,
    state,
    decision,
    // An unreadable one that is to be decided again is undecided until it is read.
    transfer: problem === undefined ? readStoredTransfer(rawBody) : undefined,
    problem,
    receivedAtMs,
    totalReceived: isMismatch ? total?.toString() : undefined,
    ...(source === 'operator' && noteOf(rawBody)),
  }
}

function actionOf({ state, decision }: Report): ListedTransfer['action'] {
  if (state === 'unreadable') return 'check'
  switch (decision?.kind) {
    case undefined:
    case 'verifying':
      return 'wait'
    case 'unmatched':
      return 'attach'
    case 'amount_mismatch':
    case 'asset_mismatch':
    case 'rejected':
    case 'extra_payment':
    case 'paid_after_cancel':
      return 'refund'
    case 'recipient_mismatch':
      return 'check'
    case 'unverified':
      return decision.reason === 'reused' ? 'none' : 'check'
    case 'paid':
    case 'failed':
    case 'duplicate':
    case 'refund':
      return 'none'
  }
}

/** Returns the note that `attach` and a refund store beside the transfer. */
function noteOf(rawBody: string): OperatorNote {
  const body: unknown = JSON.parse(rawBody)
  const operator = isObject(body) ? body['operator'] : undefined
  if (!isObject(operator)) return {}
  const { by, note } = operator
  return {
    ...(typeof by === 'string' && { by }),
    ...(typeof note === 'string' && { note }),
  }
}
