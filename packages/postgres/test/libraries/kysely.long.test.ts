import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { fromKysely } from '../../src/executors/from-kysely.js'
import { describeLibrary } from './describe-library.js'
import { CONNECTIONS, type OpenLibrary } from './library.js'

describeLibrary('Kysely', openKysely)

/** With a plugin that renames the columns of results. */
async function openKysely(url: string): Promise<OpenLibrary> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  const db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin()],
  })
  return {
    db: fromKysely(db),
    inTransaction: (work) => db.transaction().execute((tx) => work(fromKysely(tx))),
    close: () => db.destroy(),
  }
}
