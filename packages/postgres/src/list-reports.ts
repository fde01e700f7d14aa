import type { Report, ReportParts, ReportQuery } from '@tonplug/core'
import type { Database } from './database.js'
import { isStorable, optionalJson, toJson } from './json.js'
import { isId } from './is-id.js'
import { optionalText, toReport } from './rows.js'
import * as sql from './sql/list-reports.js'
import type { Statement } from './sql/statement.js'

/** Kinds of decisions that the index of decisions leaves out. */
const FREQUENT = ['paid', 'duplicate']

/** See `Inbox.reports.list`. */
export async function listReports(database: Database, query: ReportQuery): Promise<Report[]> {
  const {
    limit,
    txHashes,
    hashes,
    senderAddrs,
    rawAmounts,
    hasDeadTask,
    before,
    comment,
    ...filter
  } = query
  if ((before !== undefined && !isId(before)) || !canMatch(filter)) return []
  if (comment !== undefined && !isStorable(comment)) return []
  const parameters = [
    ...filterValues(filter),
    String(limit),
    optionalJson(txHashes),
    optionalJson(senderAddrs),
    hasDeadTask === true ? 'true' : null,
    before ?? null,
    optionalJson(rawAmounts),
    comment ?? null,
    optionalJson(hashes),
  ]
  return (await database.run(statementFor(query), parameters)).map(toReport)
}

/** Returns the statement with the index that leaves the fewest reports. */
function statementFor(query: ReportQuery): Statement {
  const { name, reference, comment, txHashes, hashes, senderAddrs, rawAmounts, hasDeadTask } = query
  const states = optional(query.state)
  const kinds = optional(query.decision)
  if (txHashes !== undefined) return sql.listReportsOfTransactions
  if (hashes !== undefined) return sql.listReportsOfHashes
  if (reference !== undefined) return sql.listReportsOf
  if (comment !== undefined && comment !== '') return sql.listReportsWithComment
  if (hasDeadTask === true) return sql.listDeadReports
  if (senderAddrs !== undefined && name !== undefined) return sql.listReportsOfSenders
  if (rawAmounts !== undefined && name !== undefined) return sql.listReportsWithAmounts
  if (states?.every((state) => state === 'undecided' || state === 'parked') === true) {
    return sql.listWaitingReports
  }
  if (states?.every((state) => state === 'unreadable') === true) return sql.listUnreadableReports
  const isRare = kinds?.every((kind) => !FREQUENT.includes(kind)) === true
  return isRare && name !== undefined ? sql.listReportsByDecision : sql.listReports
}

/** See `Inbox.reports.findValues`. */
export async function findValues(
  database: Database,
  { name, txHashStarts, senderEnds, limit }: ReportParts,
): Promise<{ txHashes: string[]; senderAddrs: string[] }> {
  const starts = txHashStarts.filter(isStorable)
  const ends = senderEnds.filter(({ start, end }) => isStorable(start) && isStorable(end))
  const parameters = [name, toJson(starts), toJson(ends), String(limit)]
  const rows = await database.run(sql.findValues, parameters)
  const valuesOf = (kind: string): string[] =>
    rows.flatMap((row) => (row['kind'] === kind ? (row['value'] ?? []) : []))
  return { txHashes: valuesOf('tx_hash'), senderAddrs: valuesOf('sender_addr') }
}

/** Returns false when no row can have the merchant or the reference. */
export function canMatch({
  merchant = '',
  reference = '',
}: Pick<ReportQuery, 'merchant' | 'reference'>): boolean {
  return isStorable(merchant) && isStorable(reference)
}

/** Returns parameters 1 to 7 of the statements that filter reports. */
export function filterValues({
  name,
  ids,
  merchant,
  reference,
  state,
  decision,
  receivedAfterMs,
}: Omit<
  ReportQuery,
  | 'limit'
  | 'txHashes'
  | 'hashes'
  | 'senderAddrs'
  | 'rawAmounts'
  | 'hasDeadTask'
  | 'before'
  | 'comment'
>): (string | null)[] {
  return [
    name ?? null,
    optionalJson(ids?.filter(isId)),
    merchant ?? null,
    reference ?? null,
    optionalJson(optional(state)),
    optionalJson(optional(decision)),
    optionalText(receivedAfterMs),
  ]
}

function optional<Value extends string>(
  value: Value | readonly Value[] | undefined,
): Value[] | undefined {
  return value === undefined ? undefined : ([...new Set([value].flat())] as Value[])
}
