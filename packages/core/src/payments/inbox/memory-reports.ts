import type { Clock } from '../../shared/clock.js'
import { reportedReference } from '../orders/order-key.js'
import { DueQueue } from './due-queue.js'
import type {
  NewReport,
  ParsedBody,
  RecordedAction,
  Report,
  ReportFilter,
  ReportParts,
  ReportQuery,
} from './inbox-reports.js'
import type { Inbox } from './inbox.js'

/** Always due: a matched report stays due, even if a concurrent attempt that started earlier parks it. */
const MATCHED_MS = 0

/** A stored report. */
export interface ReportRow {
  /** Frozen, and replaced by each change: callers keep it. */
  report: Readonly<Report>
  key: string
  traceId: string | undefined
  senderAddr: string | undefined
  rawAmount: string | undefined
  comment: string | undefined
  dueMs: number
  taskKeys: string[]
  /** Actions of operators, oldest first. */
  actions: RecordedAction[]
}

/** The reports of the memory inbox, oldest first. */
export interface ReportTable {
  clock: Clock
  /** Rows by report id. */
  rows: Map<string, ReportRow>
  byKey: Map<string, ReportRow>
  /** Undecided and parked ones, by the name of their Payments. */
  open: Map<string, DueQueue<ReportRow>>
  unreadable: Set<ReportRow>
  lastId: number
}

/** Creates a table without reports. */
export function createReportTable(clock: Clock): ReportTable {
  return {
    clock,
    rows: new Map(),
    byKey: new Map(),
    open: new Map(),
    unreadable: new Set(),
    lastId: 0,
  }
}

/** Stores a report unless its key is known. @returns the stored row. */
export function insertReport(table: ReportTable, given: NewReport): ReportRow {
  const storedKey = JSON.stringify(given.name) + given.key
  const known = table.byKey.get(storedKey)
  if (known !== undefined) return known
  const { problem, decision } = given
  const receivedAtMs = table.clock.nowMs()
  let state: Report['state'] = decision === undefined ? 'undecided' : 'decided'
  if (problem !== undefined) state = 'unreadable'
  const report = Object.freeze<Report>({
    id: `report-${++table.lastId}`,
    name: given.name,
    merchant: given.merchant,
    source: given.source,
    signedWith: given.signedWith,
    reference: reportedReference(given.reference),
    txHash: given.txHash,
    rawBody: given.rawBody,
    payments: given.payments,
    wasCompletedBefore: given.wasCompletedBefore,
    problem,
    receivedAtMs,
    state,
    attempts: 0,
    decision,
  })
  const row: ReportRow = {
    report,
    key: storedKey,
    traceId: given.traceId,
    senderAddr: given.senderAddr,
    rawAmount: given.rawAmount,
    comment: given.comment,
    dueMs: 0,
    taskKeys: [],
    actions: [],
  }
  table.rows.set(report.id, row)
  table.byKey.set(storedKey, row)
  if (state === 'undecided') setDue(table, row, receivedAtMs + given.retryInMs)
  if (state === 'unreadable') table.unreadable.add(row)
  return row
}

/** Replaces the report of a row. */
export function changeReport(row: ReportRow, changes: Partial<Report>): void {
  row.report = Object.freeze({ ...row.report, ...changes })
}

/** Opens a report, and sets when it is due. */
function setDue({ open }: ReportTable, row: ReportRow, dueMs: number): void {
  const { name } = row.report
  let queue = open.get(name)
  if (queue === undefined) open.set(name, (queue = new DueQueue()))
  queue.set(row, dueMs)
  row.dueMs = dueMs
}

/** Returns the open reports of one Payments, or of all. */
export function openReports({ open }: ReportTable, name?: string): ReportRow[] {
  const queues = name === undefined ? [...open.values()] : [open.get(name)]
  return queues.flatMap((queue) => [...(queue?.rows() ?? [])])
}

export function isOpen({ open }: ReportTable, row: ReportRow): boolean {
  return open.get(row.report.name)?.has(row) === true
}

/** Ends the waiting of a report. */
export function closeReport({ open }: ReportTable, row: ReportRow): void {
  open.get(row.report.name)?.delete(row)
}

/** Postpones an open report, unless it was matched since its last claim. */
export function postponeReport(table: ReportTable, row: ReportRow, retryInMs: number): void {
  const isMatched = row.report.state === 'parked' && row.dueMs === MATCHED_MS
  if (!isMatched) setDue(table, row, table.clock.nowMs() + retryInMs)
}

/** See {@link Inbox.reports.claim}; the policy is the pinned one. */
export function claimReports(
  table: ReportTable,
  { name, key, retryInMs, limit }: Parameters<Inbox['reports']['claim']>[0],
): Report[] {
  const nowMs = table.clock.nowMs()
  const due =
    key === undefined
      ? (table.open.get(name)?.take(nowMs, limit) ?? [])
      : waitingFor(table, { name, ...key })
          .filter(({ dueMs }) => dueMs <= nowMs)
          .slice(0, limit)
  for (const row of due) {
    setDue(table, row, nowMs + retryInMs)
    changeReport(row, { attempts: row.report.attempts + 1 })
  }
  return due.map(({ report }) => report)
}

/** Returns the open reports of an order. */
function waitingFor(
  table: ReportTable,
  { name, reference, merchant }: Parameters<Inbox['reports']['orderCreated']>[0],
): ReportRow[] {
  return openReports(table, name).filter(
    ({ report }) => report.merchant === merchant && report.reference === reference,
  )
}

/** See {@link Inbox.reports.reread}. */
export function rereadReport(table: ReportTable, row: ReportRow, parsed: ParsedBody): void {
  const { state, txHash } = row.report
  if (txHash !== '' || !['unreadable', 'undecided'].includes(state)) return
  if ('problem' in parsed) {
    changeReport(row, { problem: parsed.problem, state: 'unreadable' })
    closeReport(table, row)
    table.unreadable.add(row)
    return
  }
  const { traceId, senderAddr, rawAmount, comment, ...reading } = parsed
  Object.assign(row, { traceId, senderAddr, rawAmount, comment })
  changeReport(row, { ...reading, problem: undefined, state: 'undecided' })
  table.unreadable.delete(row)
  setDue(table, row, row.dueMs)
}

/** See {@link Inbox.reports.orderCreated}. */
export function matchReports(
  table: ReportTable,
  order: Parameters<Inbox['reports']['orderCreated']>[0],
): number {
  const parked = waitingFor(table, order).filter(({ report }) => report.state === 'parked')
  for (const row of parked) setDue(table, row, MATCHED_MS)
  return parked.length
}

/** See {@link Inbox.reports.redecide}. @returns the rows. */
export function redecideReports(table: ReportTable, filter: ReportFilter): ReportRow[] {
  const chosen = [...table.rows.values()].filter(({ report }) => isRedecidable(report, filter))
  for (const row of chosen) {
    const state = row.report.state === 'unreadable' ? 'undecided' : 'parked'
    changeReport(row, { state })
    table.unreadable.delete(row)
    setDue(table, row, MATCHED_MS)
  }
  return chosen
}

function isRedecidable(report: Report, filter: ReportFilter): boolean {
  const { state, decision } = report
  const kind = decision?.kind
  const isChoosable =
    state === 'unreadable' || (kind !== undefined && kind !== 'paid' && kind !== 'refund')
  return isChoosable && matchesFilter(report, filter)
}

/** See {@link Inbox.reports.list}; `dead` are the ids of reports with a dead task. */
export function listReports(
  { rows }: ReportTable,
  { limit, hashes, senderAddrs, rawAmounts, comment, before, hasDeadTask, ...filter }: ReportQuery,
  dead: ReadonlySet<string>,
): Report[] {
  const beforePlace = before === undefined ? Infinity : placeOf(before)
  const lowerComment = comment?.toLowerCase()
  const found: Report[] = []
  const all = [...rows.values()]
  for (let index = all.length - 1; index >= 0 && found.length < limit; index--) {
    const row = all[index]
    if (row === undefined || !matchesFilter(row.report, filter)) continue
    const { report, traceId = '', senderAddr = '', rawAmount = '' } = row
    if (before !== undefined && placeOf(report.id) >= beforePlace) continue
    if (hasDeadTask === true && !dead.has(report.id)) continue
    const isNamed = hashes?.includes(report.txHash) ?? true
    if (!isNamed && hashes?.includes(traceId) !== true) continue
    if (senderAddrs?.includes(senderAddr) === false) continue
    if (rawAmounts?.includes(rawAmount) === false) continue
    const written = row.comment ?? report.reference
    if (lowerComment !== undefined && written.toLowerCase() !== lowerComment) continue
    found.push(report)
  }
  return found
}

/** See {@link Inbox.reports.findValues}. */
export function findValues(
  { rows }: ReportTable,
  { name, txHashStarts, senderEnds, limit }: ReportParts,
): { txHashes: string[]; senderAddrs: string[] } {
  const own = [...rows.values()].filter(({ report }) => report.name === name)
  const txHashes = own
    .map(({ report }) => report.txHash)
    .filter((txHash) => txHashStarts.some((start) => txHash.startsWith(start)))
  const senderAddrs = own
    .map(({ senderAddr = '' }) => senderAddr)
    .filter((sender) =>
      senderEnds.some(({ start, end }) => sender.startsWith(start) && sender.endsWith(end)),
    )
  const unique = (values: string[]): string[] => [...new Set(values)].slice(0, limit)
  return { txHashes: unique(txHashes), senderAddrs: unique(senderAddrs) }
}

/** Ids are numbered in the sequence of arrival. An unknown id has no reports before it. */
function placeOf(id: string): number {
  const place = Number(/^report-(\d+)$/.exec(id)?.[1])
  return Number.isNaN(place) ? 0 : place
}

/** Returns the known ones of these reports, oldest first. */
export function rowsOf({ rows }: ReportTable, ids: readonly string[]): ReportRow[] {
  const known = [...new Set(ids)].flatMap((id) => rows.get(id) ?? [])
  return known.toSorted((one, other) => placeOf(one.report.id) - placeOf(other.report.id))
}

function matchesFilter(
  report: Report,
  filter: Omit<
    ReportQuery,
    'limit' | 'hashes' | 'senderAddrs' | 'rawAmounts' | 'comment' | 'before' | 'hasDeadTask'
  >,
): boolean {
  const { id, name, merchant, reference, txHash, state, decision, receivedAtMs } = report
  return (
    (filter.ids?.includes(id) ?? true) &&
    (filter.name ?? name) === name &&
    (filter.merchant ?? merchant) === merchant &&
    (filter.reference ?? reference) === reference &&
    (filter.txHashes?.includes(txHash) ?? true) &&
    isOneOf(state, filter.state) &&
    isOneOf(decision?.kind, filter.decision) &&
    (filter.receivedAfterMs ?? receivedAtMs) <= receivedAtMs
  )
}

function isOneOf<Value extends string>(
  value: Value | undefined,
  wanted: Value | readonly Value[] | undefined,
): boolean {
  if (wanted === undefined || wanted === value) return true
  return value !== undefined && typeof wanted !== 'string' && wanted.includes(value)
}

/** Returns the open and unreadable reports of one Payments, or of all. */
export function countReports(table: ReportTable, name: string | undefined) {
  const waiting = openReports(table, name).map(({ report }) => report)
  const undecided = waiting.filter(({ state }) => state === 'undecided')
  const isCounted = ({ report }: ReportRow): boolean => name === undefined || report.name === name
  return {
    undecidedSinceMs: undecided.map(({ receivedAtMs }) => receivedAtMs),
    parked: waiting.length - undecided.length,
    unreadable: [...table.unreadable].filter(isCounted).length,
  }
}

/** Returns when the first open report of a Payments is due. */
export function earliestDueMs({ open }: ReportTable, name: string): number {
  return open.get(name)?.nextMs() ?? Infinity
}
