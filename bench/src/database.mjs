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

/** Counts the statements of all connections of a pool. @returns a function that returns the count so far */
export function countStatements(pool) {
  let count = 0
  pool.on('connect', (client) => {
    const query = client.query.bind(client)
    client.query = (...given) => {
      count++
      return query(...given)
    }
  })
  return () => count
}

/** The columns that differ between copies of a row, with the value of each. */
const DISTINCT = {
  reference: `reference || '-copy-' || number`,
  key_hash: `sha256(convert_to(number || reference, 'UTF8'))`,
  tx_hash: `tx_hash || '-copy-' || number`,
  trace_id: `sha256(convert_to(number || tx_hash, 'UTF8'))`,
  payment_tx_hash: `payment_tx_hash || '-copy-' || number`,
}

/** Copies the only row of a table this many times, as rows of other payments. */
export async function copyRows(pool, table, count) {
  const { rows } = await pool.query(
    `SELECT attname AS name FROM pg_attribute
    WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity = ''`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => DISTINCT[name] ?? name)
  await pool.query(
    `INSERT INTO ${table} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM ${table}, generate_series(1, $1::integer) AS number`,
    [count],
  )
}

async function onServer(sql) {
  const client = new pg.Client({ connectionString: URL_OF_SERVER })
  await client.connect()
  await client.query(sql)
  await client.end()
}
