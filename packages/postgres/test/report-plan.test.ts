import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { listReportsOf, listReportsOfHashes } from '../src/sql/list-reports.js'
import { openPGlite, type TestDatabase } from './databases.js'

const HASH = 'ab'.repeat(32)

// Read about once a second for each order that a buyer watches.
const OF_ORDER = [listReportsOf, ['reports_reference'], { 2: '', 3: 'order-7' }] as const
const OF_TRACE = [
  listReportsOfHashes,
  ['reports_transaction', 'reports_trace'],
  { 14: JSON.stringify([HASH, `${HASH.slice(2)}cd`]) },
] as const

describe('reports', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPGlite()
    await migratePostgres(database.db)
    await database.db.query(`INSERT INTO tonplug.reports (
        name, merchant, key_hash, source, signed_with, reference, tx_hash, raw_body, payments,
        was_completed_before, received_at, state, trace_id
      )
      SELECT 'default', '', sha256(n::text::bytea), 'chain', '', 'order-' || n, 'tx-' || n, '', '[]',
        false, now(), 'decided', sha256(n::text::bytea)
      FROM generate_series(1, 3000) AS n`)
  })
  afterAll(() => database.close())

  it.each([
    ['an order', 'before', OF_ORDER],
    ['an order', 'after', OF_ORDER],
    ['a trace', 'after', OF_TRACE],
  ] as const)(
    'uses the indexes for %s %s the table is analyzed',
    async (_, when, [statement, indexes, given]) => {
      if (when === 'after') await database.db.query('ANALYZE tonplug.reports')
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await database.db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
        const nothing: (string | null)[] = Array.from({ length: 15 }, () => null)
        const values = Object.assign(nothing, { 0: 'default', 7: '20', ...given })
        const { rows } = await database.db.query(`EXPLAIN ${statement.text}`, values)
        const plan = (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n')
        for (const index of indexes) expect(plan).toContain(`${index} `)
        expect(plan).not.toContain('Seq Scan on reports')
      }
    },
  )
})
