import { createHash } from 'node:crypto'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratePostgres } from '../src/migrate-postgres.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import {
  findValues,
  listReportsOfSenders,
  listReportsWithAmounts,
  listReportsWithComment,
} from '../src/sql/list-reports.js'
import { openPostgres, type TestPostgres } from './databases.js'
import { newReport } from './reports.js'

const ROWS = 100_000
const LIMIT = 50
const PRICE = '10500000000'
const PAYER = '0:exchange'
/** The rows that a search may read: the limit for each pair of a state and a kind, and the pairs. */
const MAX_ROWS = 1000

/** Almost all payments have one price and one payer, in two shops, one without comments; one payment has no order and is old. */
describe.skipIf(!hasPostgres)(`a search among ${ROWS} reports on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres(1)
    const { db } = database
    await migratePostgres(db)
    await db.query(`INSERT INTO tonplug.reports (
        name, merchant, key_hash, source, signed_with, reference, tx_hash, raw_body, payments,
        was_completed_before, received_at, state, sender_addr, raw_amount, decision
      )
      SELECT CASE WHEN n % 2 = 0 THEN 'default' ELSE 'other' END, '', sha256(n::text::bytea), 'chain', '',
        CASE WHEN n % 2 = 0 THEN 'order-' || n ELSE '' END, 'tx-' || n, '', '[]', false, now(), 'decided',
        CASE WHEN n % 1000 = 0 THEN '0:rare-' || n / 1000 + 5 ELSE '${PAYER}' END, '${PRICE}',
        jsonb_build_object('kind', CASE n WHEN 10 THEN 'unknown_order' ELSE 'paid' END)
      FROM generate_series(1, ${ROWS}) AS n`)
    await db.query('ANALYZE tonplug.reports')
  })
  afterAll(() => database?.close())

  const searches = [
    ['price', { rawAmounts: [PRICE, '1'] }, listReportsWithAmounts, 12],
    ['payer', { senderAddrs: [PAYER, '0:other'] }, listReportsOfSenders, 9],
  ] as const
  const groups = [
    ['all', {}, LIMIT],
    ['unknown_order', { decision: 'unknown_order' }, 1],
    ['open', { state: ['undecided', 'parked'] }, 0],
    ['unreadable', { state: 'unreadable' }, 0],
  ] as const

  for (const [what, search, statement, position] of searches) {
    it.each(groups)(
      `reads few rows of the group %s for a common ${what}`,
      async (_, group, found) => {
        const { db } = database
        const reports = await postgresInbox(db).reports.list({
          name: 'default',
          ...search,
          ...group,
          limit: LIMIT,
        })
        expect(reports).toHaveLength(found)
        expect(reports.map(({ id }) => Number(id))).toEqual(
          reports.map(({ id }) => Number(id)).toSorted((one, other) => other - one),
        )
        const { state, decision } = { state: undefined, decision: undefined, ...group }
        const listed = (value: string | readonly string[] | undefined): string | null =>
          value === undefined ? null : JSON.stringify([value].flat())
        const none: (string | null)[] = Array.from({ length: 15 }, () => null)
        const values = none
          .with(0, 'default')
          .with(4, listed(state))
          .with(5, listed(decision))
          .with(7, String(LIMIT))
          .with(position, JSON.stringify(Object.values(search)[0]))
        for (const mode of ['force_custom_plan', 'force_generic_plan']) {
          await db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
          expect(await countRows(statement.text, values)).toBeLessThan(MAX_ROWS)
        }
      },
    )
  }

  it('reads few rows for a comment', async () => {
    const { reports } = postgresInbox(database.db)
    const list = await reports.list({ name: 'default', comment: 'ORDER-44', limit: LIMIT })
    expect(list.map(({ reference }) => reference)).toEqual(['order-44'])
    const values = Array.from({ length: 15 }, (): string | null => null)
      .with(0, 'default')
      .with(7, `${LIMIT}`)
      .with(13, 'ORDER-44')
    await expectFewRows(listReportsWithComment.text, values)
  })

  it.each([
    ['the beginning of a hash', { txHashStarts: ['tx-4444'] }, 6],
    ['a common payer by both ends', { senderEnds: [{ start: '0:ex', end: 'ge' }] }, 1],
    ['rare payers by both ends', { senderEnds: [{ start: '0:ra', end: '5' }] }, 10],
  ])('reads few rows for %s', async (_what, part, found) => {
    const { reports } = postgresInbox(database.db)
    const parts = { txHashStarts: [], senderEnds: [], ...part }
    const query = { name: 'default', ...parts, limit: LIMIT }
    const { txHashes, senderAddrs } = await reports.findValues(query)
    expect(txHashes.length + senderAddrs.length).toBe(found)
    const { txHashStarts, senderEnds } = parts
    await expectFewRows(findValues.text, [
      'default',
      JSON.stringify(txHashStarts),
      JSON.stringify(senderEnds),
      `${LIMIT}`,
    ])
  })

  async function expectFewRows(sql: string, values: (string | null)[]): Promise<void> {
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await database.db.query(`SELECT set_config('plan_cache_mode', $1::text, false)`, [mode])
      expect(await countRows(sql, values)).toBeLessThan(MAX_ROWS)
    }
  }

  it('stores long comments, and indexes no payment without a comment', async () => {
    const { db } = database
    const { rows } = await db.query(
      `SELECT reltuples FROM pg_class WHERE oid = 'tonplug.reports_comment'::regclass`,
    )
    expect(rows[0].reltuples / (ROWS / 2)).toBeCloseTo(1, 1)
    // Text that PostgreSQL cannot compress.
    const comment = Array.from({ length: 79 }, (_, n) => createHash('sha512').update(`${n}`))
      .map((hash) => hash.digest('hex'))
      .join('')
    const { reports } = postgresInbox(db)
    for (const [key, given] of [
      ['long', comment],
      ['longer', `${comment}!`],
    ] as const) {
      await reports.store({ ...newReport({ key }), comment: given, reference: key })
    }
    const list = await reports.list({ name: 'default', comment: comment.toUpperCase(), limit: 5 })
    expect(list.map(({ reference }) => reference)).toEqual(['long'])
  })

  async function countRows(sql: string, values: (string | null)[]): Promise<number> {
    const explained = await database.db.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values)
    const [{ Plan: plan }] = explained.rows[0]['QUERY PLAN']
    return rowsRead(plan)
  }
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
