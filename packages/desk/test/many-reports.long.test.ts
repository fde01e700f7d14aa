import { createPayments, type Payments } from '@tonplug/core'
import type { OrderList, Overview, PaymentStory, TransferPage } from '@tonplug/desk'
import { postgresInbox, postgresOrderRepository, type Queryable } from '@tonplug/postgres'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesk, type Browser } from './shop.js'

const REPORTS = 100_000
/** Rows of an index that one page may read, for each statement. */
const MAX_ROWS = 2500

/** Rows that the statements of one connection have read. */
interface RowsRead {
  bySequence: number
  byIndex: number
}

/** Prices repeat, each payer pays ten times; one in a thousand transfers needs an operator. */
const FILL = `
  INSERT INTO tonplug.reports (
    name, merchant, key_hash, source, signed_with, reference, tx_hash, sender_addr, raw_amount,
    raw_body, payments, was_completed_before, received_at, state, retry_at, decision, problem
  )
  SELECT 'default', '', sha256(n::text::bytea), 'chain', '', 'order-' || n,
    encode(sha256(('tx' || n)::bytea), 'hex'),
    '0:' || encode(sha256(('payer' || n / 10)::bytea), 'hex'), (n % 100 + 1)::text || '000000000',
    CASE WHEN n % 5000 = 3 THEN 'no JSON' ELSE jsonb_build_object(
      'event', 'transfer.completed', 'timestamp', '2026-01-05T12:00:00.000Z',
      'data', jsonb_build_object(
        'amount', (n % 100 + 1)::text, 'rawAmount', (n % 100 + 1)::text || '000000000',
        'senderAddr', '0:' || encode(sha256(('payer' || n / 10)::bytea), 'hex'),
        'recipientAddr', '0:' || repeat('0a', 32), 'asset', 'TON', 'status', 'success',
        'reference', 'order-' || n, 'bodyBase64Hash', '', 'traceId', '', 'date', '',
        'txHash', encode(sha256(('tx' || n)::bytea), 'hex')
      ))::text END,
    '[]', false, now() - (${REPORTS} - n) * interval '1 minute',
    CASE WHEN n % 5000 = 3 THEN 'unreadable' WHEN n % 5000 = 4 THEN 'parked' ELSE 'decided' END,
    CASE WHEN n % 5000 = 4 THEN now() + interval '1 day' END,
    CASE WHEN n % 5000 = 3 THEN NULL ELSE jsonb_build_object(
      'kind', CASE n % 1000 WHEN 1 THEN 'amount_mismatch' WHEN 2 THEN 'unverified' WHEN 4 THEN 'unknown_order'
        ELSE 'paid' END, 'reference', 'order-' || n, 'txHash', '') END,
    CASE WHEN n % 5000 = 3 THEN 'not JSON' END
  FROM generate_series(1, ${REPORTS}) AS n;
  INSERT INTO tonplug.tasks
    (report_id, name, merchant, handler, idempotency_key, key_hash, state, attempts, due_at, error)
  SELECT id, name, merchant, 'onPaid', id::text, sha256(id::text::bytea),
    CASE WHEN id % 2000 = 5 THEN 'dead' ELSE 'done' END, 1, now(),
    CASE WHEN id % 2000 = 5 THEN 'no' END
  FROM tonplug.reports WHERE decision->>'kind' = 'paid';
  INSERT INTO tonplug.orders
    (name, merchant, reference, raw_amount, asset, status, created_at, data)
  SELECT 'default', '', 'order-' || n, (n % 100 + 1) * 1000000000::numeric, 'TON',
    CASE n % 10 WHEN 0 THEN 'cancelled' ELSE 'pending' END,
    now() - (${REPORTS} - n) * interval '1 minute',
    jsonb_build_object('email', 'customer-' || n || '@shop.example')
  FROM generate_series(1, ${REPORTS}) AS n;
  ANALYZE tonplug.orders;
  ANALYZE tonplug.reports;
  ANALYZE tonplug.tasks`

/** Orders that a filter by a common price may read for one page. */
const MAX_ORDERS = 1000

const SEARCHES = {
  'a reference': 'order-77777',
  'a transaction': 'ba2bd2b4d6dc0a2b3b1ac3ce94a49b3a4eae7ad8e4ecf7f1ae0c9d6a3b2e9d10',
  'an amount': '42',
  'an unknown address': `0:${'ff'.repeat(32)}`,
  'an amount that no transfer has': '123.45',
}

describe.skipIf(!hasPostgres)(`${REPORTS} reports on ${NEEDS_POSTGRES}`, () => {
  let drop: () => Promise<void>
  let pool: pg.Pool
  let payments: Payments
  let browser: Browser
  let read: RowsRead
  beforeAll(async () => {
    const database = await createPostgresDatabase()
    pool = new pg.Pool({ connectionString: database.url, max: 4 })
    drop = database.drop
    read = { bySequence: 0, byIndex: 0 }
    const db = counting(pool, read)
    const orders = postgresOrderRepository(db, { search: ['email'] })
    payments = createPayments({
      orders,
      inbox: postgresInbox(db),
      logger: createTestLogger(),
      // Statements of the background would count as read by a page.
      clock: createFakeClock({ startMs: Date.now() }),
      autoStart: false,
    })
    await payments.internals.inbox.stats()
    await pool.query(FILL)
    const missing = await orders.checkAccess().then(
      () => '',
      (error: Error) => error.message,
    )
    for (const sql of missing.match(/CREATE INDEX.*;/g) ?? []) await pool.query(sql)
    browser = openDesk(payments)
  })
  afterAll(async () => {
    await payments.close()
    await pool.end()
    await drop()
  })

  it.each(['all', 'open', 'unknown_order', 'mismatched', 'unverified', 'unreadable', 'dead'])(
    'reads few rows for the first page of the list %s, and for the next one',
    async (group) => {
      const first = await page(`group=${group}`)
      expect(first.transfers.length).toBeGreaterThan(10)
      const next = first.next ?? first.transfers.at(-1)?.reportId ?? ''
      await page(`group=${group}&before=${next}`)
      await page(`group=${group}&before=${REPORTS / 2}`)
    },
  )

  it.each(Object.entries(SEARCHES))('reads few rows to search %s', async (_what, search) => {
    const { transfers } = await page(`search=${search}`)
    expect(transfers.length).toBeLessThanOrEqual(50)
  })

  it('finds the transfers of a payer by address', async () => {
    const [newest] = (await page('group=all')).transfers
    const { transfers } = await page(`search=${newest?.senderAddr ?? ''}`)
    expect(transfers.length).toBeGreaterThan(0)
    expect(transfers.length).toBeLessThanOrEqual(10)
  })

  it('counts the work of the overview without reading the whole table', async () => {
    const start = new Date(Date.now() - 3_600_000).toISOString()
    Object.assign(read, { bySequence: 0, byIndex: 0 })
    const path = `api/overview?today=${start}&month=${start}`
    const overview = await browser.json<Overview>(path)
    const counts = Object.fromEntries(overview.counts.map(({ name, count }) => [name, count]))
    expect(counts).toMatchObject({ 'task failed': expect.any(Number) })
    expect(read.bySequence).toBe(0)
    expect(read.byIndex).toBeLessThan(MAX_ROWS)
  })

  it.each([
    ['the first page', '', 50],
    ['a status', 'status=cancelled', 50],
    ['a common price', 'amount=42', 10],
    ['a price of no order', 'amount=123.45', 0],
  ])('lists orders by %s, from at most 1000 orders', async (_what, query, count) => {
    const { orders, rows } = await repeated<OrderList>(`api/orders?${query}`)
    expect(orders).toHaveLength(count)
    // Each page of the repository reads one more.
    expect(rows).toBeLessThanOrEqual(MAX_ORDERS + 20)
  })

  it.each([
    ['a reference', 'order-77777', 1],
    ['the beginning of a reference', 'order-777', 5],
    ['an e-mail address', 'CUSTOMER-4711@shop.example', 1],
    ['a common price', '42', 0],
  ])('searches orders and payments by %s', async (_what, search, count) => {
    const path = `api/transfers?search=${encodeURIComponent(search)}`
    const { rows, ...found } = await repeated<TransferPage>(path)
    const all = new Set([...found.transfers, ...(found.orders ?? [])].map((one) => one.reference))
    expect(all.size).toBeGreaterThanOrEqual(count)
    expect(rows).toBeLessThanOrEqual(MAX_ORDERS)
  })

  /** Repeats a request, so that plans for all values count, too. @returns also the rows that the last one reads */
  async function repeated<Result>(path: string): Promise<Result & { rows: number }> {
    for (let run = 0; run < 6; run++) await browser.json<Result>(path)
    Object.assign(read, { bySequence: 0, byIndex: 0 })
    const result = await browser.json<Result>(path)
    expect(read.bySequence).toBe(0)
    return { ...result, rows: read.byIndex }
  }

  it('reads few rows for the story of a payment', async () => {
    const story = await counted(() => browser.json<PaymentStory>('api/payment?reference=order-99'))
    expect(story.reports).toHaveLength(1)
  })

  /** Requests a page several times, so that a plan that PostgreSQL keeps for all values is measured, too. */
  async function page(query: string): Promise<TransferPage> {
    let found: TransferPage = { transfers: [] }
    for (let run = 0; run < 7; run++) {
      found = await counted(() => browser.json<TransferPage>(`api/transfers?${query}`), query)
    }
    return found
  }

  async function counted<Result>(work: () => Promise<Result>, label = ''): Promise<Result> {
    Object.assign(read, { bySequence: 0, byIndex: 0 })
    const startedAt = performance.now()
    const result = await work()
    if (process.env['DESK_TIMES'] !== undefined) {
      console.log(label, `${Math.round(performance.now() - startedAt)} ms`, read)
    }
    expect(read.bySequence).toBe(0)
    expect(read.byIndex).toBeGreaterThan(0)
    expect(read.byIndex).toBeLessThan(MAX_ROWS)
    return result
  }
})

const COUNT = `SELECT coalesce(sum(seq_tup_read), 0)::integer AS by_sequence,
  coalesce(sum(idx_tup_fetch), 0)::integer AS by_index
  FROM pg_stat_xact_user_tables WHERE relname IN ('reports', 'tasks', 'actions', 'orders')`

/** Returns a database that counts the rows which each statement reads. */
function counting(pool: pg.Pool, read: RowsRead): Queryable {
  // The counters of a connection grow until PostgreSQL adds them to the counters of the server, never within a transaction.
  const count = async (client: pg.PoolClient): Promise<RowsRead> => {
    const { rows } = await client.query<{ by_sequence: number; by_index: number }>(COUNT)
    return { bySequence: rows[0]?.by_sequence ?? 0, byIndex: rows[0]?.by_index ?? 0 }
  }
  const query = async (given: unknown, values?: unknown[]) => {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      const before = await count(client)
      // Of the shape that the pool takes.
      const result = await client.query(given as string, values)
      const after = await count(client)
      await client.query('COMMIT')
      read.bySequence += after.bySequence - before.bySequence
      read.byIndex += after.byIndex - before.byIndex
      return result
    } finally {
      client.release()
    }
  }
  return { query } as Queryable
}
