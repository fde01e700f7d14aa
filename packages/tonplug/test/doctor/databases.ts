import { randomUUID } from 'node:crypto'
import { migratePostgres } from '@tonplug/postgres'
import { createPostgresDatabase } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { onTestFinished } from 'vitest'

/** Runs statements in a database. */
async function run(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const sql of statements) await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Creates an empty database until the test ends. */
export async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createPostgresDatabase()
  onTestFinished(drop)
  return url
}

/** Creates a database with tonplug's tables, and changes it. */
export async function migratedDatabase(...changes: string[]): Promise<string> {
  const url = await emptyDatabase()
  const pool = new pg.Pool({ connectionString: url })
  try {
    await migratePostgres(pool)
  } finally {
    await pool.end()
  }
  await run(url, ...changes)
  return url
}

/** Creates a database with tonplug's tables and a role with these privileges. Returns the URL of the role. */
export async function databaseOfRole(grants: (role: string) => string[]): Promise<string> {
  const role = `shop_${randomUUID().slice(0, 8)}`
  const password = randomUUID()
  const url = await migratedDatabase(
    `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`,
    ...grants(role),
  )
  onTestFinished(() => run(url, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`))
  const own = new URL(url)
  own.username = role
  own.password = password
  return own.href
}
