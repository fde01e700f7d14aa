import { checkOptionNames, type ReconcileCursor } from '@tonplug/core'
import { databaseOf } from './database.js'
import type { Queryable } from './queryable.js'
import { text } from './rows.js'
import * as sql from './sql/cursors.js'

const NAMES: Record<keyof NonNullable<Parameters<typeof postgresCursor>[1]>, true> = { name: true }

/**
 * Keeps how far a reconciler has come in PostgreSQL or PGlite, so that any server goes on where the last one was, and
 * none goes through everything again after a deploy.
 * @param db see `postgresInbox`.
 * @param options.name of the receiver. @default 'default'
 * @throws {ConfigurationError} for an option that does not exist.
 * @throws every method {@link RepositoryError} when the database cannot be reached.
 * @example
 * const reconciler = createReconciler({ receiver, orders, v3, cursor: postgresCursor(pool) })
 */
export function postgresCursor(
  db: Queryable,
  options: { name?: string | undefined } = {},
): ReconcileCursor {
  checkOptionNames(options, Object.keys(NAMES))
  const { name = 'default' } = options
  const database = databaseOf(db)
  return {
    load: async () => {
      const [row] = await database.run(sql.loadCursor, [name])
      return row === undefined ? undefined : text(row, 'position')
    },
    save: async (position) => {
      await database.run(sql.saveCursor, [name, position])
    },
  }
}
