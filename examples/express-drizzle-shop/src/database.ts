import { PGlite } from '@electric-sql/pglite'
import type { Queryable } from '@tonplug/postgres'
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite'
import pg from 'pg'
import { createTables } from './create-tables.js'

interface Rows<Row> {
  rows: Row[]
}

/** What the drivers of PostgreSQL and PGlite have in common in their answers. */
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this['row']>
}

/** Drizzle on either driver, or one of its transactions. */
export type ShopDatabase = PgDatabase<RowsResult>

/** Where the shop's database is. */
export interface DatabaseSettings {
  /** `postgres://…`; without it PGlite. */
  url?: string | undefined
  /** The folder in which PGlite keeps its files. */
  folder: string
}

/** The shop's database, as its two users see it. */
export interface Database {
  db: ShopDatabase
  /** The pool that Drizzle uses, for the inbox. */
  pool: Queryable
  close(): Promise<void>
}

/** Opens PostgreSQL, or PGlite, which is PostgreSQL in this process; makes the shop's tables. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const database = settings.url ? openPool(settings.url) : await openFolder(settings.folder)
  await createTables(database.db)
  return database
}

/** Against a server that vanishes without a word. Less than the 8 seconds in which a delivery is answered. */
const TIME_LIMITS = { keepAlive: true, connectionTimeoutMillis: 5000, query_timeout: 6000 }

function openPool(url: string): Database {
  const pool = new pg.Pool({ connectionString: url, ...TIME_LIMITS })
  return { db: drizzlePg(pool), pool, close: () => pool.end() }
}

async function openFolder(folder: string): Promise<Database> {
  const pool = await PGlite.create(folder)
  return { db: drizzlePglite(pool), pool, close: () => pool.close() }
}
