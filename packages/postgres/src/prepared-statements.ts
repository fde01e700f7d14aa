import { sqlState } from './error-code.js'

/**
 * Errors of named statements behind a pooler that gives each transaction another connection: the name exists already
 * (42P05), does not exist (26000), or belongs to another statement (08P01). The statement was not executed.
 */
const PREPARED_STATEMENT_ERRORS = ['42P05', '26000', '08P01']

const NOTICE =
  'prepared statements are not used, since the database is behind a pooler in transaction mode'

/** Receives the notice of a database, once. */
type NoticeListener = (message: string) => void

const unnamed = new WeakSet<object>()
const listeners = new WeakMap<object, NoticeListener>()
const noticed = new WeakSet<object>()

/** Returns true for an error of a prepared statement. */
export function isPreparedStatementError(error: unknown): boolean {
  return PREPARED_STATEMENT_ERRORS.includes(sqlState(error) ?? '')
}

/** Returns true when statements on this database have names, so that `pg` prepares them once for each connection. */
export function usesNames(db: object): boolean {
  return isPool(db) && !unnamed.has(db)
}

/** Sends all later statements of this database without a name. */
export function stopNames(db: object): void {
  unnamed.add(db)
  notify(db)
}

/** Calls the listener once when the names of this database are not used. The first listener of a database receives it. */
export function onUnnamed(db: object, listener: NoticeListener): void {
  if (!listeners.has(db)) listeners.set(db, listener)
  notify(db)
}

function notify(db: object): void {
  const listener = listeners.get(db)
  if (!unnamed.has(db) || noticed.has(db) || listener === undefined) return
  noticed.add(db)
  listener(NOTICE)
}

/** A pool of `pg`. A single connection may be in a transaction, which an error of a name would abort. */
export function isPool(db: object): boolean {
  return 'totalCount' in db && 'connect' in db && typeof db.connect === 'function'
}
