import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { orderStatements } from '../src/sql/orders.js'
import { ownOrderTable } from '../src/sql/own-orders.js'
import { areReportedPaymentsFree, claimPayments, claimPaymentsOf } from '../src/sql/payments.js'
import type { Statement } from '../src/sql/statement.js'
import { openPGlite, type TestDatabase } from './databases.js'

const { completeAndDecide } = orderStatements(ownOrderTable('default'))
const KEY = ['', 'order-1']
const PAYMENTS = '["tx:1"]'
const VERDICT = ['1', 'decided', '{"kind":"paid"}', 'paid', null, 'onPaid', '[]']

/** Claims are never deleted, so a statement that reads all of them becomes slower with every payment. */
describe('claimed payments', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await openPGlite()
    await migratePostgres(database.db)
    await database.db
      .query(`INSERT INTO tonplug.payments (key_hash, name, merchant, payment, reference)
      SELECT sha256(n::text::bytea), 'default', '', 'tx:' || n, 'order-' || n
      FROM generate_series(1, 3000) AS n`)
    await database.db.query('ANALYZE tonplug.payments')
  })
  afterAll(() => database.close())

  it.each<[string, Statement, (string | null)[]]>([
    ['a payment', completeAndDecide, [...VERDICT, ...KEY, '{}', 'tx', PAYMENTS]],
    ['a claim', claimPayments, ['default', ...KEY, PAYMENTS]],
    ['a claim of a report', claimPaymentsOf, ['1', ...KEY, PAYMENTS]],
    ['a check of a report', areReportedPaymentsFree, ['1', ...KEY, PAYMENTS]],
  ])('are found by an index for %s', async (_, { text }, values) => {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await database.db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
      const { rows } = await database.db.query(`EXPLAIN ${text}`, values)
      const plan = (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toMatch(/(?:Index Scan using|Conflict Arbiter Indexes:) payments_pkey/)
      expect(plan).not.toContain('Seq Scan on payments')
    }
  })
})
