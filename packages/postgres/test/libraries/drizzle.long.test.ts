import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { fromDrizzle } from '../../src/executors/from-drizzle.js'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'

describeLibrary('Drizzle', openDrizzle)

async function openDrizzle(url: string): Promise<OpenLibrary> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  const db = drizzle(pool)
  return {
    db: fromDrizzle(db, sql),
    inTransaction: (work) => db.transaction((tx) => work(fromDrizzle(tx, sql))),
    close: () => pool.end(),
  }
}
