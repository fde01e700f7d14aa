import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { orderStatements } from '../src/sql/orders.js'
import { ownOrderTable } from '../src/sql/own-orders.js'
import { openPostgres, type TestPostgres } from './databases.js'

const ROWS = 100_000
const LIMIT = 50
/** The rows that a page may read. */
const MAX_ROWS = 300

const { list, search } = orderStatements(ownOrderTable('default'))
const byEmail = orderStatements(ownOrderTable('default', ['email'])).search
const FIRST = [null, null, null, '', '']

/** Orders of two shops, one a minute; almost all are paid. */
describe.skipIf(!hasPostgres)(`a list among ${ROWS} orders on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres(1)
    const { db } = database
    await migratePostgres(db)
    await db.query(`INSERT INTO tonplug.orders
        (name, merchant, reference, raw_amount, asset, status, created_at, data)
      SELECT CASE WHEN n % 2 = 0 THEN 'default' ELSE 'other' END, '', 'order-' || n, 7, 'TON',
        CASE WHEN n % 1000 = 0 THEN 'pending' ELSE 'completed' END,
        timestamptz '2026-01-05' + n * interval '1 minute',
        jsonb_build_object('email', 'Buyer-' || n || '@shop.example')
      FROM generate_series(1, ${ROWS}) AS n`)
    const orders = postgresOrderRepository(db, { search: ['email'] })
    const problem = await orders.checkAccess?.().then(String, ({ message }: Error) => message)
    await db.query(/CREATE INDEX.*;/.exec(problem ?? '')?.[0] ?? '')
    await orders.checkAccess?.()
    await db.query('ANALYZE tonplug.orders')
  })
  afterAll(() => database?.close())

  it.each([
    ['the first page', list.all, [...FIRST, `${LIMIT}`], LIMIT],
    [
      'a later page',
      list.all,
      [null, null, '2026-01-20T00:00:00Z', '', 'order-9', `${LIMIT}`],
      LIMIT,
    ],
    [
      'the orders of an hour',
      list.all,
      [`${Date.UTC(2026, 0, 20)}`, `${Date.UTC(2026, 0, 20, 1)}`, null, '', '', `${LIMIT}`],
      30,
    ],
    ['waiting orders, which are few', list.pending, [...FIRST, `${LIMIT}`], LIMIT],
    ['paid orders', list.completed, [...FIRST, `${LIMIT}`], LIMIT],
    ['the beginning of many references', search, ['order-1', `${LIMIT}`], LIMIT],
    ['the beginning of many e-mail addresses', byEmail, ['buyer-1', `${LIMIT}`], LIMIT],
    ['an e-mail address', byEmail, ['BUYER-77778@shop.example', `${LIMIT}`], 1],
    ['a reference', search, ['order-77778', `${LIMIT}`], 1],
  ] as const)('reads few rows for %s', async (_what, statement, values, found) => {
    const { db } = database
    const { rows } = await db.query(statement.text, [...values])
    expect(rows).toHaveLength(found)
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
      const explained = await db.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement.text}`, [
        ...values,
      ])
      const [{ Plan: plan }] = explained.rows[0]['QUERY PLAN']
      expect(rowsRead(plan)).toBeLessThan(MAX_ROWS)
    }
  })
})

interface Plan {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Returns how many rows the scans of a plan have read. */
function rowsRead(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0)
  if (!plan['Node Type'].includes('Scan')) return below
  const rows = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)
  return below + rows * plan['Actual Loops']
}
