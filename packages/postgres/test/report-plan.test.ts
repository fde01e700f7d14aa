import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { listReportsOf } from '../src/sql/list-reports.js'
import { openPGlite, type TestDatabase } from './databases.js'

/** Read about once a second for each order that a buyer watches. */
describe('the reports of an order', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPGlite()
    await migratePostgres(database.db)
    await database.db.query(`INSERT INTO tonplug.reports (
        name, merchant, key_hash, source, signed_with, reference, tx_hash, raw_body, payments,
        was_completed_before, received_at, state
      )
      SELECT 'default', '', sha256(n::text::bytea), 'chain', '', 'order-' || n, 'tx', '', '[]',
        false, now(), 'decided'
      FROM generate_series(1, 3000) AS n`)
  })
  afterAll(() => database.close())

  it.each(['before', 'after'])(
    'are found by their index %s the table is analyzed',
    async (when) => {
      if (when === 'after') await database.db.query('ANALYZE tonplug.reports')
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        await database.db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
        const nothing: (string | null)[] = Array.from({ length: 10 }, () => null)
        const values = ['default', null, '', 'order-7', ...nothing.with(3, '20')]
        const { rows } = await database.db.query(`EXPLAIN ${listReportsOf.text}`, values)
        const plan = (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n')
        expect(plan).toContain('reports_reference')
        expect(plan).not.toContain('Seq Scan on reports')
      }
    },
  )
})
