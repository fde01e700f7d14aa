import { RepositoryError } from '@tonplug/core'
import { migrate } from './migrate-postgres.js'
import { ask, checkQueryable, type Queryable, type Row } from './queryable.js'
import type { Statement } from './sql/statement.js'

/** A database of the shop's, as the inbox and the orders use it. */
export interface Database {
  readonly name: string
  /** Whether rows outlive the process. */
  readonly isDurable: boolean
  /** @throws {RepositoryError} whatever the driver throws. */
  run: (statement: Statement, values: (string | null)[]) => Promise<Row[]>
}

/** A statement by itself that lost against another transaction has done nothing: it can be made again. */
const LOST_AGAINST_ANOTHER = ['40001', '40P01']
const ATTEMPTS = 10

/** All else waits for the tables, so a server looks again soon. What goes on in the database meanwhile is not lost. */
const MIGRATION_MS = 60_000

const NO_ROWS =
  'db.query() has answered without `rows`; give a pool of pg, or wrap what you have: { query: async (text, values) => ({ rows: await dataSource.query(text, values) }) }'

const databases = new WeakMap<Queryable, Database>()

/**
 * The same object for the same `db`, so that its schema is looked at once.
 * @throws {ConfigurationError} for what runs no SQL.
 */
export function databaseOf(db: Queryable): Database {
  checkQueryable(db)
  const known = databases.get(db)
  if (known !== undefined) return known
  const database = createDatabase(db)
  databases.set(db, database)
  return database
}

/** Runs one statement, whatever carries it. @throws {RepositoryError} whatever the driver throws. */
export async function runOn(
  db: Queryable,
  statement: Statement,
  values: (string | null)[],
): Promise<Row[]> {
  try {
    const { rows } = await ask(db, statement, values)
    if (!Array.isArray(rows)) throw new TypeError(NO_ROWS)
    // The statements select text alone.
    return rows as Row[]
  } catch (cause) {
    const { operation } = statement
    throw new RepositoryError({ operation, problem: 'the database refused; see cause', cause })
  }
}

function createDatabase(db: Queryable): Database {
  let migrated: Promise<void> | undefined
  const migrateOnce = (): Promise<void> => {
    migrated ??= migrate(db, MIGRATION_MS).catch((error: unknown) => {
      // The next call tries again.
      migrated = undefined
      throw error
    })
    return migrated
  }
  surviveLostConnections(db)
  return {
    ...describe(db),
    async run(statement, values) {
      await migrateOnce()
      return runUntilMade(db, statement, values)
    },
  }
}

/** A serializable transaction, where the database makes them by default, is to be made again by whoever lost. */
async function runUntilMade(
  db: Queryable,
  statement: Statement,
  values: (string | null)[],
): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOn(db, statement, values)
    } catch (error) {
      if (attempt === ATTEMPTS || !hasLost(error)) throw error
    }
  }
}

function hasLost(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error) || !('code' in cause)) return false
  return LOST_AGAINST_ANOTHER.some((code) => code === cause.code)
}

/** PGlite without a folder keeps everything in memory. */
function describe(db: Queryable): Pick<Database, 'name' | 'isDurable'> {
  if (!('execProtocol' in db)) return { name: 'postgres', isDurable: true }
  const dataDir = 'dataDir' in db && typeof db.dataDir === 'string' ? db.dataDir : ''
  return { name: 'pglite', isDurable: dataDir !== '' && !dataDir.startsWith('memory:') }
}

/** What a pool of `pg` tells of itself and of its connections. */
interface Emitter {
  on(event: 'error', listener: () => void): unknown
  on(event: 'acquire', listener: (connection: Emitter) => void): unknown
}

const guarded = new WeakSet<Emitter>()

/**
 * A pool says on its `error` event that an idle connection was lost, and has replaced it by then; a connection in a
 * transaction says it on its own, and its query fails. Where nobody listens, Node ends the process: a restart of the
 * database would take the shop with it.
 */
function surviveLostConnections(db: Queryable): void {
  if (!isEmitter(db)) return
  guard(db)
  db.on('acquire', guard)
}

function guard(emitter: Emitter): void {
  if (guarded.has(emitter)) return
  guarded.add(emitter)
  emitter.on('error', () => undefined)
}

function isEmitter(db: object): db is Emitter {
  return 'on' in db && typeof db.on === 'function'
}
