import { randomUUID } from 'node:crypto'
import { type CursorStore } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import { databaseOf } from './database.js'
import type { Queryable } from './queryable.js'
import * as sql from './sql/cursors.js'

/** Options of `postgresCursor`. */
export interface PostgresCursorOptions {
  /** The `name` of the Payments that the watcher serves. @default 'default' */
  name?: string | undefined
}

const OPTIONS = z.strictObject({
  name: z.string().min(1).default('default'),
} satisfies Record<keyof PostgresCursorOptions, z.ZodType>)

/**
 * Creates a cursor that stores a watcher's position in PostgreSQL or PGlite. A watcher resumes where any other process
 * stopped, and only one process watches at a time: its lease expires by the clock of the database.
 * @param db see `postgresInbox`.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @throws {RepositoryError} from every method when the database cannot be reached.
 * @example
 * const watcher = createPaymentWatcher({ payments, v3, cursor: postgresCursor(pool) })
 */
export function postgresCursor(db: Queryable, options: PostgresCursorOptions = {}): CursorStore {
  const { name } = parseOptions(OPTIONS, options)
  const database = databaseOf(db)
  const holder = randomUUID()
  let isHolder = false
  return {
    load: async () => {
      const [row] = await database.run(sql.loadCursor, [name])
      return row?.['position'] ?? undefined
    },
    save: async (position) => {
      const save = isHolder ? sql.saveCursorAsHolder : sql.saveCursor
      await database.run(save, [name, position, holder])
    },
    acquire: async (leaseMs) => {
      const rows = await database.run(sql.acquireCursor, [name, holder, String(leaseMs)])
      isHolder = rows.length > 0
      return isHolder
    },
    release: async () => {
      isHolder = false
      await database.run(sql.releaseCursor, [name, holder])
    },
  }
}
