import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import {
  findCredits,
  findCreditsByHashes,
  listCreditsOf,
  listCreditsOfWallet,
} from '../src/sql/credits.js'
import { orderStatements } from '../src/sql/orders.js'
import { ownOrderTable } from '../src/sql/own-orders.js'
import { areReportedPaymentsFree, claimPayments, claimPaymentsOf } from '../src/sql/payments.js'
import type { Statement } from '../src/sql/statement.js'
import { openPGlite, type TestDatabase } from './databases.js'

const { completeAndDecide, completeWithCredits } = orderStatements(ownOrderTable('default'))
const KEY = ['', 'order-1']
const PAYMENTS = '["tx:1", "credit:1"]'
const HASHES = '["tx-1", "trace-1"]'
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
    await database.db.query(`INSERT INTO tonplug.credits (id, raw_amount, used, seen_at)
      SELECT n::text, 5, 5, now() FROM generate_series(1, 3000) AS n`)
    await database.db.query(`INSERT INTO tonplug.credit_hashes (hash, credit_id)
      SELECT 'tx-' || n, n::text FROM generate_series(1, 3000) AS n`)
    await database.db.query(`INSERT INTO tonplug.uses
        (credit_id, owner_hash, link_hash, kind, name, merchant, reference, used_at)
      SELECT n::text, sha256(n::text::bytea), sha256(n::text::bytea), 'order', 'default', '', 'order-' || n,
        now()
      FROM generate_series(1, 3000) AS n`)
    await database.db.query(
      'ANALYZE tonplug.payments, tonplug.credits, tonplug.credit_hashes, tonplug.uses',
    )
  })
  afterAll(() => database.close())

  it.each<[string, Statement, (string | null)[]]>([
    ['a payment', completeWithCredits, [...VERDICT, ...KEY, '{}', 'tx', PAYMENTS, HASHES, '3']],
    ['a transaction', completeAndDecide, [...VERDICT, ...KEY, '{}', 'tx', '["tx:1"]', HASHES]],
    ['a claim', claimPayments, ['default', ...KEY, PAYMENTS, 'tx', HASHES, '3', 'order']],
    ['a claim of a report', claimPaymentsOf, ['1', ...KEY, PAYMENTS, 'tx', HASHES, '3']],
    ['a check of a report', areReportedPaymentsFree, ['1', ...KEY, PAYMENTS, 'tx', HASHES, '3']],
  ])('are found by an index for %s', async (_, { text }, values) => {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await database.db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
      const plan = await explain(text, values)
      expect(plan).toMatch(/(?:Index Scan using|Conflict Arbiter Indexes:) payments_pkey/)
      expect(plan).not.toMatch(/Seq Scan on (?:payments|credits|uses)/)
    }
  })

  it('are no credits where a delivery names none', async () => {
    const values = [...VERDICT, ...KEY, '{}', 'tx', '["tx:1"]', HASHES]
    const plan = await explain(completeAndDecide.text, values)
    expect(plan).not.toMatch(/ on (?:credits|uses)\b/)
  })

  it.each<[string, Statement, string[], RegExp]>([
    ['ids', findCredits, ['["1", "2"]'], /credits_pkey/],
    [
      'hashes',
      findCreditsByHashes,
      [HASHES],
      /credit_hashes_pkey[\s\S]*credits_pkey|credits_pkey[\s\S]*credit_hashes_pkey/,
    ],
    ['an order', listCreditsOf, ['default', ...KEY], /credits_reference[\s\S]*uses_reference/],
    [
      'a wallet',
      listCreditsOfWallet,
      ['wallet', 'account', 'TON', '1767614400', '1', '500'],
      /Index Cond: [^\n]*ROW\(account, asset, utime, id\)/,
    ],
  ])('are found by an index for %s of credits', async (_, { text }, values, index) => {
    const plan = await explain(text, values)
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(/Seq Scan on (?:credits|credit_hashes|uses)/)
  })

  async function explain(text: string, values: (string | null)[]): Promise<string> {
    const { rows } = await database.db.query(`EXPLAIN ${text}`, values)
    return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN']).join('\n')
  }
})
