import type { DeadHandlerTask, Delivery } from '@tonplug/core'
import { databaseOf, runOn } from './database.js'
import type { Queryable, Row } from './queryable.js'
import { text, toDeadTask, toDelivery } from './rows.js'
import * as sql from './sql/reader.js'
import type { InboxEntryState } from './sql/reader.js'
import type { Statement } from './sql/statement.js'
import { isId } from './verdict.js'

/** A handler of a delivery, and how its runs went. */
export interface InboxHandler {
  /** For `inbox.replay`. */
  id: string
  /** Its registered name, as `onPaid` or `onPaid.ship`. */
  handler: string
  idempotencyKey: string
  state: 'open' | 'done' | 'dead'
  /** Runs since it was arranged, or since its last replay. */
  attempts: number
  /** Milliseconds since the Unix epoch: when an open one runs next, or when the lease of a running one ends. */
  dueAtMs: number
  isRunning: boolean
  /** The message of the last run that failed, even when a later one went well. */
  error?: string | undefined
}

/** A delivery with what became of it. */
export interface InboxEntry {
  state: InboxEntryState
  delivery: Delivery
  /** Milliseconds since the Unix epoch: when one that is undecided or parked is looked at next. */
  retryAtMs?: number | undefined
  handlers: InboxHandler[]
}

/** A dead handler and its delivery. */
export interface DeadInboxHandler extends DeadHandlerTask {
  receiver: string
  reference: string
}

/** Which deliveries to list. A field that is not given holds for all. */
export interface InboxEntryQuery {
  state?: InboxEntryState | undefined
  reference?: string | undefined
  /** Milliseconds since the Unix epoch. */
  receivedSinceMs?: number | undefined
  limit: number
}

/** Which dead handlers to list. A field that is not given holds for all. */
export interface DeadInboxHandlerQuery {
  deliveryIds?: readonly string[] | undefined
  reference?: string | undefined
  handler?: string | undefined
  receiver?: string | undefined
  /** Milliseconds since the Unix epoch. */
  receivedSinceMs?: number | undefined
}

/** Looks at an inbox and changes nothing. */
export interface InboxReader {
  /** The version of the tables; `undefined` where there are none. The other methods need them. */
  schemaVersion(): Promise<number | undefined>
  /** Deliveries, the newest first. */
  list(query: InboxEntryQuery): Promise<InboxEntry[]>
  find(deliveryId: string): Promise<InboxEntry | null>
  /** Handlers that have used up their attempts, the oldest first. */
  listDead(query: DeadInboxHandlerQuery): Promise<DeadInboxHandler[]>
  /** The names of the receivers that have deliveries. */
  receivers(): Promise<string[]>
}

/**
 * Reads the inbox of `postgresInbox` for people and their tools, on a database of a server or beside it. Unlike the
 * inbox it makes no tables. Filters other than the state look at every delivery that is kept.
 * @param db see `postgresInbox`.
 * @throws every method {@link RepositoryError} when the database cannot be reached, or has no tables.
 * @example
 * const [newest] = await postgresInboxReader(pool).list({ state: 'dead', limit: 1 })
 */
export function postgresInboxReader(db: Queryable): InboxReader {
  // For what it does about connections that are lost; its own `run` would make the tables.
  databaseOf(db)
  const run = (statement: Statement, values: (string | null)[]) => runOn(db, statement, values)
  return {
    schemaVersion: async () => {
      const [found] = await run(sql.hasTables, [])
      if (text(found, 'found') !== 'true') return undefined
      const [row] = await run(sql.readSchemaVersion, [])
      return Number(text(row, 'version'))
    },
    list: async ({ state, reference, receivedSinceMs, limit }) => {
      const values = [reference ?? null, optionalText(receivedSinceMs), String(limit)]
      return (await run(sql.listEntries[state ?? 'any'], values)).map(toEntry)
    },
    find: async (deliveryId) => {
      if (!isId(deliveryId)) return null
      const [row] = await run(sql.findEntry, [deliveryId])
      return row === undefined ? null : toEntry(row)
    },
    receivers: async () => (await run(sql.listReceivers, [])).map((row) => text(row, 'receiver')),
    listDead: async ({ deliveryIds, reference, handler, receiver, receivedSinceMs }) => {
      const ids = deliveryIds?.filter(isId)
      const rows = await run(sql.listDeadTasks, [
        ids === undefined ? null : JSON.stringify(ids),
        reference ?? null,
        handler ?? null,
        receiver ?? null,
        optionalText(receivedSinceMs),
      ])
      return rows.map((row) => ({
        ...toDeadTask(row),
        receiver: text(row, 'receiver'),
        reference: text(row, 'reference'),
      }))
    },
  }
}

/** A handler as SQL writes it. */
interface HandlerJson extends Omit<InboxHandler, 'dueAtMs' | 'error'> {
  dueAtMs: string
  error: string | null
}

function toEntry(row: Row): InboxEntry {
  const retryAt = row['retry_ms']
  // `ENTRY_COLUMNS` alone writes them.
  const handlers = JSON.parse(text(row, 'handlers')) as HandlerJson[]
  return {
    // The statement names each of them.
    state: text(row, 'entry_state') as InboxEntryState,
    delivery: toDelivery(row),
    ...(typeof retryAt === 'string' && { retryAtMs: Number(retryAt) }),
    handlers: handlers.map(({ dueAtMs, error, ...handler }) => ({
      ...handler,
      dueAtMs: Number(dueAtMs),
      ...(error !== null && { error }),
    })),
  }
}

function optionalText(value: number | undefined): string | null {
  return value === undefined ? null : String(value)
}
