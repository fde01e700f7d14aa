import { randomUUID } from 'node:crypto'
import pg from 'pg'

const URL_OF_SERVER = process.env.TEST_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Runs a function with a new database, and drops the database afterwards. */
export async function withDatabase(work) {
  const name = `tonplug_bench_${randomUUID().replaceAll('-', '')}`
  await onServer(`CREATE DATABASE ${name}`)
  const pool = new pg.Pool({
    connectionString: Object.assign(new URL(URL_OF_SERVER), { pathname: `/${name}` }).href,
    max: 16,
  })
  try {
    await work(pool)
  } finally {
    await pool.end()
    await onServer(`DROP DATABASE ${name} WITH (FORCE)`)
  }
}

async function onServer(sql) {
  const client = new pg.Client({ connectionString: URL_OF_SERVER })
  await client.connect()
  await client.query(sql)
  await client.end()
}
