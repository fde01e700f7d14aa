import type { Clock } from '../shared/clock.js'
import type { Inbox, NewReport, ParsedBody, Report, ReportFilter } from './inbox.js'

/** Always due: a matched report stays due, even if a concurrent attempt that started earlier parks it. */
const MATCHED_MS = 0

/** A stored report. */
export interface ReportRow {
  /** Never changed, only replaced: callers keep it. */
  report: Report
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
  const { key: _key, retryInMs, ...fields } = given
  const isReadable = given.problem === undefined
  const report: Report = {
    ...fields,
    id: `report-${++table.lastId}`,
    receivedAtMs: table.clock.nowMs(),
    state: isReadable ? 'undecided' : 'unreadable',
    attempts: 0,
  }
  const row: ReportRow = { report, key: storedKey, dueMs: 0, taskKeys: [] }
  table.rows.set(report.id, row)
  table.byKey.set(storedKey, row)
  if (isReadable) setDue(table, row, table.clock.nowMs() + retryInMs)
  else table.unreadable.add(row)
  return row
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
    row.report = { ...row.report, attempts: row.report.attempts + 1 }
  }
  table.nothingDueBeforeMs = earliestDueMs(table)
  return due.map(({ report }) => report)
}

/** See {@link Inbox.reread}. */
export function rereadReport(table: ReportTable, row: ReportRow, parsed: ParsedBody): void {
  if (!['unreadable', 'undecided'].includes(row.report.state)) return
  if ('problem' in parsed) {
    row.report = { ...row.report, ...parsed, state: 'unreadable' }
    table.open.delete(row)
    table.unreadable.add(row)
    return
  }
  const { problem: _problem, ...report } = row.report
  row.report = { ...report, ...parsed, state: 'undecided' }
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
    row.report = { ...row.report, state }
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
