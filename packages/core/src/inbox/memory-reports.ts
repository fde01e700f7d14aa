import type { Clock } from '../shared/clock.js'
import type { Inbox, NewReport, ParsedBody, Report, ReportFilter } from './inbox.js'

/** Always due: a matched report stays due, even if a concurrent attempt that started earlier parks it. */
const MATCHED_MS = 0

/** A stored report. */
export interface ReportRow {
  /** Frozen, and replaced by each change: callers keep it. */
  report: Readonly<Report>
  key: string
  dueMs: number
  taskKeys: string[]
}

/** The reports of the memory inbox, oldest first. */
export interface ReportTable {
  clock: Clock
  /** Rows by report id. */
  rows: Map<string, ReportRow>
  byKey: Map<string, ReportRow>
  /** Undecided and parked. */
  open: Set<ReportRow>
  unreadable: Set<ReportRow>
  lastId: number
  /** A lower bound of the open reports' due times. */
  nothingDueBeforeMs: number
}

/** Creates a table without reports. */
export function createReportTable(clock: Clock): ReportTable {
  const sets = { open: new Set<ReportRow>(), unreadable: new Set<ReportRow>() }
  return {
    clock,
    rows: new Map(),
    byKey: new Map(),
    ...sets,
    lastId: 0,
    nothingDueBeforeMs: Infinity,
  }
}

/** Stores a report unless its key is known. @returns the stored row. */
export function insertReport(table: ReportTable, given: NewReport): ReportRow {
  const storedKey = JSON.stringify([given.name, given.key])
  const known = table.byKey.get(storedKey)
  if (known !== undefined) return known
  const { problem } = given
  const receivedAtMs = table.clock.nowMs()
  const report = Object.freeze<Report>({
    id: `report-${++table.lastId}`,
    name: given.name,
    merchant: given.merchant,
    source: given.source,
    signedWith: given.signedWith,
    reference: given.reference,
    txHash: given.txHash,
    rawBody: given.rawBody,
    payments: given.payments,
    wasCompletedBefore: given.wasCompletedBefore,
    problem,
    receivedAtMs,
    state: problem === undefined ? 'undecided' : 'unreadable',
    attempts: 0,
    decision: undefined,
  })
  const row: ReportRow = { report, key: storedKey, dueMs: 0, taskKeys: [] }
  table.rows.set(report.id, row)
  table.byKey.set(storedKey, row)
  if (problem === undefined) setDue(table, row, receivedAtMs + given.retryInMs)
  else table.unreadable.add(row)
  return row
}

/** Replaces the report of a row. */
export function changeReport(row: ReportRow, changes: Partial<Report>): void {
  row.report = Object.freeze({ ...row.report, ...changes })
}

/** Opens a report, and sets when it is due. */
function setDue(table: ReportTable, row: ReportRow, dueMs: number): void {
  table.open.add(row)
  row.dueMs = dueMs
  table.nothingDueBeforeMs = Math.min(table.nothingDueBeforeMs, dueMs)
}

/** Postpones an open report, unless it was matched since its last claim. */
export function postponeReport(table: ReportTable, row: ReportRow, retryInMs: number): void {
  const isMatched = row.report.state === 'parked' && row.dueMs === MATCHED_MS
  if (!isMatched) setDue(table, row, table.clock.nowMs() + retryInMs)
}

/** See {@link Inbox.claimReports}; the policy is the pinned one. */
export function claimReports(
  table: ReportTable,
  { name, key, retryInMs, limit }: Parameters<Inbox['claimReports']>[0],
): Report[] {
  const nowMs = table.clock.nowMs()
  if (nowMs < table.nothingDueBeforeMs) return []
  const isDue = ({ report, dueMs }: ReportRow): boolean =>
    report.name === name &&
    dueMs <= nowMs &&
    (key === undefined || (report.reference === key.reference && report.merchant === key.merchant))
  const due = [...table.open].filter(isDue).slice(0, limit)
  for (const row of due) {
    row.dueMs = nowMs + retryInMs
    changeReport(row, { attempts: row.report.attempts + 1 })
  }
  table.nothingDueBeforeMs = earliestDueMs(table)
  return due.map(({ report }) => report)
}

/** See {@link Inbox.reread}. */
export function rereadReport(table: ReportTable, row: ReportRow, parsed: ParsedBody): void {
  if (!['unreadable', 'undecided'].includes(row.report.state)) return
  if ('problem' in parsed) {
    changeReport(row, { problem: parsed.problem, state: 'unreadable' })
    table.open.delete(row)
    table.unreadable.add(row)
    return
  }
  changeReport(row, { ...parsed, problem: undefined, state: 'undecided' })
  table.unreadable.delete(row)
  setDue(table, row, row.dueMs)
}

/** See {@link Inbox.matchReference}. */
export function matchReports(
  table: ReportTable,
  { name, reference, merchant }: Parameters<Inbox['matchReference']>[0],
): number {
  const isWaiting = ({ report }: ReportRow): boolean =>
    report.state === 'parked' &&
    report.name === name &&
    report.merchant === merchant &&
    report.reference === reference
  const parked = [...table.open].filter(isWaiting)
  for (const row of parked) setDue(table, row, MATCHED_MS)
  return parked.length
}

/** See {@link Inbox.redecide}. */
export function redecideReports(table: ReportTable, filter: ReportFilter): number {
  const chosen = [...table.rows.values()].filter(({ report }) => isRedecidable(report, filter))
  for (const row of chosen) {
    const state = row.report.state === 'unreadable' ? 'undecided' : 'parked'
    changeReport(row, { state })
    table.unreadable.delete(row)
    setDue(table, row, MATCHED_MS)
  }
  return chosen.length
}

function isRedecidable(report: Report, filter: ReportFilter): boolean {
  const { id, name, merchant, reference, state, decision, receivedAtMs } = report
  const isChoosable = state === 'unreadable' || (decision !== undefined && decision.kind !== 'paid')
  return (
    isChoosable &&
    (filter.ids?.includes(id) ?? true) &&
    (filter.name ?? name) === name &&
    (filter.merchant ?? merchant) === merchant &&
    (filter.reference ?? reference) === reference &&
    (filter.state ?? state) === state &&
    (filter.decision ?? decision?.kind) === decision?.kind &&
    (filter.receivedAfterMs ?? receivedAtMs) <= receivedAtMs
  )
}

/** Returns the open and unreadable reports of one Payments, or of all. */
export function countReports({ open, unreadable }: ReportTable, name: string | undefined) {
  const isCounted = ({ report }: ReportRow): boolean => name === undefined || report.name === name
  const waiting = [...open].filter(isCounted).map(({ report }) => report)
  const undecided = waiting.filter(({ state }) => state === 'undecided')
  return {
    undecidedSinceMs: undecided.map(({ receivedAtMs }) => receivedAtMs),
    parked: waiting.length - undecided.length,
    unreadable: [...unreadable].filter(isCounted).length,
  }
}

/** Returns when the first open report is due, of one Payments or of all. */
export function earliestDueMs({ open }: ReportTable, name?: string): number {
  let earliestMs = Infinity
  for (const { report, dueMs } of open) {
    if (name !== undefined && report.name !== name) continue
    if (dueMs < earliestMs) earliestMs = dueMs
  }
  return earliestMs
}
