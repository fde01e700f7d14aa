import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError, describeSettingMistake } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import { errorCode } from './error-code.js'
import { lockFolder } from './folder-lock.js'
import type { Queryable } from './queryable.js'

/** Options of `openDatabase`. */
export interface OpenDatabaseOptions {
  /** `postgres://…`; PGlite is opened when it is blank or `undefined`. */
  url?: string | undefined
  /** The folder in which PGlite stores its files; `memory://` for none. @default './.tonplug' */
  folder?: string | undefined
}

const location = z.string().superRefine((input, context) => {
  const message = describeSettingMistake(input, { isLocation: true })
  if (message !== undefined) context.addIssue({ code: 'custom', message, input })
})

const OPTIONS = z.strictObject({
  url: location.optional(),
  folder: location.default('./.tonplug'),
} satisfies Record<keyof OpenDatabaseOptions, z.ZodType>)

/** An open database. */
export interface OpenDatabase {
  /** For `postgresInbox` and `postgresOrderRepository`. */
  db: Queryable
  /** Closes the connections, or writes PGlite's files. */
  close: () => Promise<void>
}

/**
 * Without them, statements sent to a host that has disappeared wait indefinitely. Less than the deadline of a delivery;
 * statements of tonplug that may take longer set their own limit.
 */
const TIME_LIMITS = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 6000 }

/**
 * Opens PostgreSQL when there is a `url`, otherwise PGlite in a folder: PostgreSQL in this process, with nothing to
 * install or start. One process at a time can use a folder. Requires `pg` or `@electric-sql/pglite`.
 * @throws {ConfigurationError} for an unknown or invalid option, when the package is not installed, and when another process
 * uses the folder.
 * @example
 * const { db, close } = await openDatabase({ url: process.env.DATABASE_URL })
 */
export async function openDatabase(options: OpenDatabaseOptions = {}): Promise<OpenDatabase> {
  const { url, folder } = parseOptions(OPTIONS, options)
  if (url !== undefined && url.trim() !== '') {
    const { default: pg } = await import('pg').catch(explainMissing('a url', 'pg'))
    const pool = new pg.Pool({ connectionString: url, ...TIME_LIMITS })
    return { db: pool, close: () => pool.end() }
  }
  const { PGlite } = await import('@electric-sql/pglite').catch(
    explainMissing('a database without a url', '@electric-sql/pglite'),
  )
  const release = isInMemory(folder) ? () => undefined : takeFolder(folder.replace('file://', ''))
  try {
    const db = await PGlite.create(folder)
    return { db, close: () => db.close().finally(release) }
  } catch (error) {
    release()
    throw error
  }
}

/** Locks the folder. Removes PostgreSQL's own lock file: with it empty, as a killed start may leave it, PGlite does not start. */
function takeFolder(folder: string): () => void {
  const release = lockFolder(folder)
  rmSync(join(folder, 'postmaster.pid'), { force: true })
  return release
}

function isInMemory(folder: string): boolean {
  return folder === '' || folder.startsWith('memory:')
}

/** Explains a missing package. The usual cause is an environment variable with the url that is not set. */
function explainMissing(what: string, name: string): (cause: unknown) => never {
  return (cause) => {
    if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND') throw cause
    const problem = `${what} requires the package ${name}, which is not installed. Pass a postgres:// url, or run: npm install ${name}`
    throw new ConfigurationError({ option: 'url', problem, cause })
  }
}
