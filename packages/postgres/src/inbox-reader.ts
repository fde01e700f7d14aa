import type { DeadLetter, DecisionKind, Report, TaskProgress } from '@tonplug/core'
import { databaseOf, runOn } from './database.js'
import { toJson } from './json.js'
import type { Queryable, Row } from './queryable.js'
import { optionalNumber, optionalText, text, toDeadLetter, toReport } from './rows.js'
import * as sql from './sql/inbox-reader.js'
import type { InboxEntryState } from './sql/inbox-reader.js'
import type { Statement } from './sql/statement.js'
import { isId } from './is-id.js'

/** A handler of a report, and its runs. */
export type InboxHandler = Omit<TaskProgress, 'reportId'>

/** A report with its progress. */
export interface InboxEntry {
  state: InboxEntryState
  report: Report
  /** When an undecided or parked one is decided next, milliseconds since the Unix epoch. */
  retryAtMs?: number | undefined
  handlers: InboxHandler[]
}

/** A dead handler and the name of its Payments. */
export interface DeadInboxHandler extends DeadLetter {
  name: string
}

/** Selects reports. An omitted field matches all. */
export interface InboxFilter {
  /** The name of the Payments. */
  name?: string | undefined
  merchant?: string | undefined
  reference?: string | undefined
  /** Milliseconds since the Unix epoch. */
  receivedSinceMs?: number | undefined
}

/** Selects reports to list. An omitted field matches all. */
export interface InboxEntryQuery extends InboxFilter {
  state?: InboxEntryState | undefined
  /** The kind of the decision. */
  decision?: DecisionKind | undefined
  limit: number
}

/** Selects dead handlers. An omitted field matches all. */
export interface DeadInboxHandlerQuery extends InboxFilter {
  reportIds?: readonly string[] | undefined
  handler?: string | undefined
}

/** Reads an inbox and never changes it. */
export interface InboxReader {
  /** Returns the version of the tables; `undefined` without tables. The other methods require them. */
  schemaVersion(): Promise<number | undefined>
  /** Returns reports, newest first. */
  list(query: InboxEntryQuery): Promise<InboxEntry[]>
  find(reportId: string): Promise<InboxEntry | null>
  /** Returns handlers that have used all their attempts, oldest first. */
  listDeadLetters(query: DeadInboxHandlerQuery): Promise<DeadInboxHandler[]>
  /** Returns the names of the Payments that have reports. */
  names(): Promise<string[]>
}

/**
 * Reads the inbox of `postgresInbox`, for operators and their tools. Unlike the inbox it never creates tables. Filters
 * other than the state and the reference read every stored report.
 * @param db see `postgresInbox`.
 * @throws {RepositoryError} from every method when the database cannot be reached or has no tables.
 * @example
 * const [newest] = await postgresInboxReader(pool).list({ state: 'dead', limit: 1 })
 */
export function postgresInboxReader(db: Queryable): InboxReader {
  // Registers listeners for lost connections. Its own `run` would create the tables.
  databaseOf(db)
  const run = (statement: Statement, values: (string | null)[]) => runOn(db, statement, values)
  return {
    schemaVersion: async () => {
      const [found] = await run(sql.hasTables, [])
      if (text(found, 'found') !== 'true') return undefined
      const [row] = await run(sql.readSchemaVersion, [])
      return Number(text(row, 'version'))
    },
    list: async ({ state, decision, limit, ...filter }) => {
      const values = [...filterValues(filter), String(limit), decision ?? null]
      return (await run(sql.listEntries[state ?? 'any'], values)).map(toEntry)
    },
    find: async (reportId) => {
      if (!isId(reportId)) return null
      const [row] = await run(sql.findEntry, [reportId])
      return row === undefined ? null : toEntry(row)
    },
    names: async () => (await run(sql.listNames, [])).map((row) => text(row, 'name')),
    listDeadLetters: async ({ reportIds, handler, ...filter }) => {
      const ids = reportIds === undefined ? null : toJson(reportIds.filter(isId))
      const rows = await run(sql.listDeadTasks, [...filterValues(filter), ids, handler ?? null])
      return rows.map((row) => ({ ...toDeadLetter(row), name: text(row, 'name') }))
    },
  }
}

function filterValues({
  name,
  merchant,
  reference,
  receivedSinceMs,
}: InboxFilter): (string | null)[] {
  return [name ?? null, merchant ?? null, reference ?? null, optionalText(receivedSinceMs)]
}

/** A handler as the SQL returns it. */
interface HandlerJson extends Omit<InboxHandler, 'dueAtMs' | 'relayedAtMs' | 'error'> {
  dueAtMs: string
  relayedAtMs: string | null
  error: string | null
}

function toEntry(row: Row): InboxEntry {
  const retryAtMs = optionalNumber(row, 'retry_ms')
  // Selected by `ENTRY_COLUMNS`.
  const handlers = JSON.parse(text(row, 'handlers')) as HandlerJson[]
  return {
    // The statement names each of them.
    state: text(row, 'entry_state') as InboxEntryState,
    report: toReport(row),
    ...(retryAtMs !== undefined && { retryAtMs }),
    handlers: handlers.map(({ dueAtMs, relayedAtMs, error, ...handler }) => ({
      ...handler,
      dueAtMs: Number(dueAtMs),
      ...(relayedAtMs !== null && { relayedAtMs: Number(relayedAtMs) }),
      ...(error !== null && { error }),
    })),
  }
}
