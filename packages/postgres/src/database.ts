import { RepositoryError } from '@tonplug/core'
import { describeFailure, sqlState } from './error-code.js'
import { storableText } from './json.js'
import { migrate } from './migrate-postgres.js'
import { isPool, isPreparedStatementError } from './prepared-statements.js'
import { checkQueryable, query, type Queryable, type Row } from './queryable.js'
import type { Statement } from './sql/statement.js'

/** A database, as the inbox and the orders use it. */
export interface Database {
  readonly name: string
  /** True when rows outlive the process. */
  readonly isDurable: boolean
  /** Runs a statement after the migration. @throws {RepositoryError} for every error of the driver. */
  run: (statement: Statement, values: (string | null)[]) => Promise<Row[]>
  /** The same on tables of the shop, whose database may lack tonplug's schema. */
  runWithoutSchema: (statement: Statement, values: (string | null)[]) => Promise<Row[]>
}

/** Errors of a statement that was rolled back because of a concurrent transaction, and can be repeated. */
const SERIALIZATION_FAILURES = ['40001', '40P01']
export const ATTEMPTS = 10

/** Every statement waits for the migration. After this time the call fails; the migration continues in the database. */
const MIGRATION_MS = 60_000

const NO_ROWS =
  'db.query() must return an object with `rows`. Pass a pool of pg, or a wrapper: { query: async (text, values) => ({ rows: await dataSource.query(text, values) }) }'

const databases = new WeakMap<Queryable, Database>()

/**
 * Returns the same object for the same `db`, so that its schema is checked once.
 * @throws {ConfigurationError} when `db` cannot run SQL.
 */
export function databaseOf(db: Queryable): Database {
  checkQueryable(db)
  const known = databases.get(db)
  if (known !== undefined) return known
  const database = createDatabase(db)
  databases.set(db, database)
  return database
}

/**
 * Runs one statement on a database or in a transaction. Text that PostgreSQL cannot store is made storable.
 * @throws {RepositoryError} for every error of the driver.
 */
export async function runOn(
  db: Queryable,
  statement: Statement,
  values: (string | null)[],
): Promise<Row[]> {
  try {
    const { rows } = await query(db, statement, values.map(storable))
    if (!Array.isArray(rows)) throw new TypeError(NO_ROWS)
    // The statements select only text.
    return rows as Row[]
  } catch (cause) {
    const { operation } = statement
    throw new RepositoryError({ operation, problem: describeFailure(cause), cause })
  }
}

function storable(value: string | null): string | null {
  return value === null ? null : storableText(value)
}

function createDatabase(db: Queryable): Database {
  let migrated: Promise<void> | undefined
  const migrateOnce = (): Promise<void> => {
    migrated ??= migrate(db, MIGRATION_MS).catch((error: unknown) => {
      // The next call retries.
      migrated = undefined
      throw error
    })
    return migrated
  }
  ignoreLostConnections(db)
  return {
    ...describe(db),
    async run(statement, values) {
      await migrateOnce()
      return runWithRetries(db, statement, values)
    },
    runWithoutSchema: (statement, values) => runWithRetries(db, statement, values),
  }
}

async function runWithRetries(
  db: Queryable,
  statement: Statement,
  values: (string | null)[],
): Promise<Row[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOn(db, statement, values)
    } catch (error) {
      if (attempt === ATTEMPTS || !mayBeRepeated(db, error)) throw error
    }
  }
}

/**
 * Returns true for an error after which the statement or transaction can be repeated. Other libraries than `pg` name
 * statements themselves; behind a pooler the next connection may accept them.
 */
function mayBeRepeated(db: Queryable, error: unknown): boolean {
  return isSerializationFailure(error) || (!isPool(db) && isPreparedStatementError(error))
}

/** Returns true for an error of a concurrent transaction. */
export function isSerializationFailure(error: unknown): boolean {
  return SERIALIZATION_FAILURES.includes(sqlState(error) ?? '')
}

/** PGlite without a folder stores everything in memory. */
function describe(db: Queryable): Pick<Database, 'name' | 'isDurable'> {
  if (!('execProtocol' in db)) return { name: 'postgres', isDurable: true }
  const dataDir = 'dataDir' in db && typeof db.dataDir === 'string' ? db.dataDir : ''
  return { name: 'pglite', isDurable: dataDir !== '' && !dataDir.startsWith('memory:') }
}

/** The events of a pool of `pg` and of its connections. */
interface Emitter {
  on(event: 'error', listener: () => void): unknown
  on(event: 'acquire', listener: (connection: Emitter) => void): unknown
}

const guarded = new WeakSet<Emitter>()

/**
 * Listens to `error`. A pool emits it for a lost idle connection, which it has already replaced; a connection emits it in a
 * transaction, whose query also fails. Without a listener, a restart of the database would end the process.
 */
function ignoreLostConnections(db: Queryable): void {
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
