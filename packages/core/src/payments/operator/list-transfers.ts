import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { CreditUse, StoredCredit } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import { PROOF_TASK, type TaskProgress } from '../inbox/inbox-tasks.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import type { Order, OrderKey, ReportSource } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { DECISIONS } from '../engine/decision-table.js'
import { namedHashes } from '../engine/link-report.js'
import { reportsOfCredits } from '../engine/paid-elsewhere.js'
import { isRefund, standingRefunds } from '../engine/proposed-refunds.js'
import { inAsset, receivedSoFar } from '../engine/received-so-far.js'
import { withRecordedPayment } from '../engine/recorded-payment.js'
import { creditsOf, isUseOf } from '../engine/report.js'
import { acceptedBy } from '../engine/accepted-money.js'
import { decidedCredit, isBadNews, isToldByChain } from '../engine/bad-news.js'
import { noteOf } from './stored-note.js'
import { toReportQuery, type TransferQuery } from './transfer-query.js'

/** A reported transfer, for an operator. Plain data that survives JSON. */
export interface ListedTransfer {
  reportId: string
  /**
   * The work of an operator.
   * - `none`: an order is paid with it, no money arrived, or its refund was proposed.
   * - `wait`: it is not decided yet, or waits for its proof.
   * - `assign`: the money arrived for no known order. Assign it to its order, or refund it.
   * - `accept_or_refund`: the money arrived and does not fit its order. Accept it while the order is open, or refund it.
   * - `refund`: the money arrived after another payment of its order, or after the order was cancelled.
   * - `check`: the report cannot be read, names another wallet, is not proven, or has completed its order with money that
   *   another order has. Look at the chain.
   */
  action: 'none' | 'wait' | 'assign' | 'accept_or_refund' | 'refund' | 'check'
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
  /** Who assigned it or asked for its refund, and why. */
  by?: string | undefined
  reason?: string | undefined
  /** Its handlers and their runs; without on-chain proofs. */
  handlers: Omit<TaskProgress, 'reportId'>[]
}

/** The stores that transfers are read from. */
interface ListSources {
  name: string
  inbox: CheckedInbox
  orders: Pick<CheckedRepository<Order>, 'find'>
}

/**
 * Lists reported transfers, newest first. Plain data that survives JSON.
 * @throws {ConfigurationError} for an invalid query.
 */
export async function listTransfers(
  sources: ListSources,
  given: TransferQuery,
): Promise<ListedTransfer[]> {
  const { inbox, name } = sources
  const query = await toReportQuery({ inbox, name }, given)
  const reports = await inbox.reports.list(query)
  const tasks = await handlersOf(inbox, reports)
  const isHandled = await handledMoney(sources, reports)
  const contested = await contestedReports(inbox, reports)
  const total = query.reference === undefined ? async () => undefined : totalsOf(sources)
  const listed: ListedTransfer[] = []
  for (const report of reports) {
    const sum = await total(report)
    const isDone = actionOf(report) === 'none' || (await isHandled(report))
    const facts = toListed(report, isDone, sum)
    const { action } = contested.has(report.id) ? ({ action: 'check' } as const) : facts
    listed.push({ ...facts, action, handlers: tasks.get(report.id) ?? [] })
  }
  return listed
}

/** Returns a function that sums what arrived for an order in the asset of a transfer of another amount. */
function totalsOf({
  name,
  inbox,
  orders,
}: ListSources): (report: Report) => Promise<bigint | undefined> {
  const sums = new Map<string, Promise<Map<string, bigint>>>()
  const sumsOf = async (key: OrderKey): Promise<Map<string, bigint>> => {
    const order = await orders.find(key)
    return order === null ? new Map() : receivedSoFar({ name, inbox }, order)
  }
  return async ({ merchant, reference, decision, rawBody }) => {
    if (decision?.kind !== 'amount_mismatch') return undefined
    const sum = sums.get(merchant) ?? sumsOf({ merchant, reference })
    sums.set(merchant, sum)
    return inAsset(await sum, readStoredTransfer(rawBody).asset)
  }
}

/** Returns the handlers of reports by their ids. */
async function handlersOf(
  inbox: CheckedInbox,
  reports: readonly Report[],
): Promise<Map<string, ListedTransfer['handlers']>> {
  const handlers = new Map<string, ListedTransfer['handlers']>()
  if (reports.length === 0) return handlers
  const reportIds = reports.map(({ id }) => id)
  const tasks = await inbox.tasks.list({ reportIds })
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

/**
 * Returns a function that is true for a report of money that has paid an order, or whose refund was proposed and not released. The
 * ledger decides about a credit; a webhook may have named the transaction of another one.
 */
async function handledMoney(
  sources: ListSources,
  reports: readonly Report[],
): Promise<(report: Report) => Promise<boolean>> {
  const { inbox, name } = sources
  const txHashes = [...new Set(reports.map(({ txHash }) => txHash).filter((hash) => hash !== ''))]
  if (txHashes.length === 0) return async () => false
  const related = await allReports(inbox.reports, { name, txHashes })
  const paid = related.filter(({ decision }) => decision?.kind === 'paid')
  const refunds = await standingRefunds(inbox, related.filter(isRefund))
  const named = paid.flatMap(hashesOf)
  const credits = await inbox.credits.find({ hashes: [...new Set([...txHashes, ...named])] })
  const isLinked = (report: Report): boolean =>
    credits.some(({ uses }) =>
      uses.some((use) => isUseOf(report, use) && use.payment === report.txHash),
    )
  const money = new Set([...paid, ...refunds].map(moneyOf))
  const unlinked = new Set(paid.filter((report) => !isLinked(report)).map(moneyOf))
  return async (report) => {
    const uses = creditOf(report, credits)?.uses
    if (uses === undefined) return money.has(moneyOf(report))
    const own = uses.find((use) => isUseOf(report, use))
    const isElsewhere = uses.some((use) => !isUseOf(report, use))
    if (isElsewhere || unlinked.has(moneyOf(report))) return true
    const isUnverified = report.decision?.kind === 'unverified'
    return own !== undefined && (isUnverified || (await hasPaidWith(sources, report, own)))
  }
}

/** Returns the ids of the reports that have completed an order with money that another order has. */
async function contestedReports(
  inbox: CheckedInbox,
  reports: readonly Report[],
): Promise<ReadonlySet<string>> {
  const paid = reports.filter(
    (report) => report.decision?.kind === 'paid' && creditsOf(report).length === 0,
  )
  const hashes = paid.flatMap(hashesOf)
  const credits = hashes.length === 0 ? [] : await inbox.credits.find({ hashes })
  const ids = credits.map(({ id }) => id)
  return new Set((await reportsOfCredits(inbox, ids)).contested.map(({ id }) => id))
}

function hashesOf(report: Report): string[] {
  return namedHashes({ report, transfer: readStoredTransfer(report.rawBody), order: null })
}

/** Returns the credit that a report names, or that its decision is about; otherwise the only one of its transaction. */
function creditOf(report: Report, credits: readonly StoredCredit[]): StoredCredit | undefined {
  const [id = decidedCredit(report)] = creditsOf(report)
  const known = credits.find((one) => one.id === id)
  if (known !== undefined) return known
  const [only, ...more] = credits.filter(({ txHash }) => txHash === report.txHash)
  return more.length === 0 ? only : undefined
}

/** Returns false for an order that had claimed the money, and was then completed by other money or cancelled. */
async function hasPaidWith(
  { inbox, name, orders }: ListSources,
  { merchant, reference }: Report,
  { payment }: CreditUse,
): Promise<boolean> {
  const key = { name, merchant, reference }
  const order = await withRecordedPayment(inbox, key, await orders.find({ merchant, reference }))
  if (order?.status !== 'completed') return false
  // The uses of accepted payments keep their own hashes.
  return order.payment?.txHash === payment || order.payment?.acceptedAmounts !== undefined
}

function toListed(
  report: Report,
  isDone: boolean,
  total: bigint | undefined,
): Omit<ListedTransfer, 'handlers'> {
  const { id: reportId, merchant, reference, txHash, source, state, receivedAtMs } = report
  const { decision, problem, rawBody } = report
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
    totalReceived: total?.toString(),
    ...(source === 'operator' && noteOf(rawBody)),
  }
}

function actionOf(report: Report): ListedTransfer['action'] {
  const { state, decision } = report
  if (state === 'unreadable') return 'check'
  if (decision !== undefined && isToldByChain(decision)) {
    return state === 'parked' ? 'wait' : 'check'
  }
  if (decision === undefined) return 'wait'
  const isUsed = decision.kind === 'unverified' && decision.reason === 'reused'
  return isUsed || isFailedAcceptance(report) ? 'none' : DECISIONS[decision.kind].action
}

/** Money that could not be accepted is listed by its own reports. */
function isFailedAcceptance(report: Report): boolean {
  return (
    report.decision !== undefined && isBadNews(report.decision) && acceptedBy(report) !== undefined
  )
}
