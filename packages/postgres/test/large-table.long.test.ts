import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { createTestLogger, signPayload } from '@tonplug/testing'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import express from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mappedOrderRepository } from '../src/mapped-order-repository.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { openPostgres, type TestPostgres } from './databases.js'
import { SECRET, transferFor } from './shop.js'

/** Rows of the table. The figures of the guide are of 1,000,000 rows. */
const ORDERS = Number(process.env['UPGRADE_ORDERS'] ?? 20_000)
const PER_SECOND = 50
/** Payments before the first statement and after the last one. */
const AROUND = 50
/** Most payments at once: a slow machine takes fewer a second. */
const AT_ONCE = 10

const CREATE_TABLE = `CREATE TABLE orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, number text NOT NULL UNIQUE, nanotons bigint NOT NULL,
  state text NOT NULL DEFAULT 'awaiting_payment', customer_email text NOT NULL, payment jsonb
)`
const FILL_TABLE = `INSERT INTO orders (number, nanotons, state, customer_email)
  SELECT 'old-' || n, 10500000000, 'cancelled', 'buyer-' || n || '@shop.example'
  FROM generate_series(1, $1::integer) n`
const INDEXES = [
  'CREATE INDEX CONCURRENTLY ON orders (placed_at)',
  'CREATE INDEX CONCURRENTLY ON orders (body_hash)',
]
/** Takes as long as the unique index that the check prints for a table that has none. */
const UNIQUE_INDEX = 'CREATE UNIQUE INDEX CONCURRENTLY ON orders (number, state)'

const MAPPING = {
  table: 'orders',
  columns: { reference: 'number', rawAmount: 'nanotons', status: 'state', payment: 'payment' },
  asset: 'TON',
  statuses: { pending: 'awaiting_payment', completed: 'paid', cancelled: 'cancelled' },
}
const NEXT_MAPPING = {
  ...MAPPING,
  columns: {
    ...MAPPING.columns,
    failure: 'failure',
    createdAt: 'placed_at',
    recipient: 'wallet',
    bodyBase64Hash: 'body_hash',
  },
}

describe.skipIf(!hasPostgres)(`an orders table of ${ORDERS} rows on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres(10)
    await database.db.query(CREATE_TABLE)
    await database.db.query(FILL_TABLE, [ORDERS])
    await database.db.query('ANALYZE orders')
  })
  afterAll(() => database.close())

  it('gets columns and indexes while payments arrive, and no payment fails', async () => {
    const { db } = database
    const shop = await startShop(database)
    const load = startLoad(database, shop.url)
    await load.reach(AROUND)

    const durations = new Map<string, number>()
    for (const sql of [...(await printedSql(database)), ...INDEXES, UNIQUE_INDEX]) {
      const start = performance.now()
      await db.query(sql)
      durations.set(sql, Math.round(performance.now() - start))
    }
    // A process of the next version.
    await mappedOrderRepository(db, NEXT_MAPPING).checkAccess()
    await load.reach(load.count() + AROUND)
    const answers = await load.stop()

    console.info(`${ORDERS} orders, ${answers.length} payments at ${PER_SECOND} a second`)
    console.info(report(answers), Object.fromEntries(durations))
    expect(answers.filter(({ status }) => status !== 200)).toEqual([])
    await expect.poll(() => [...shop.runs].toSorted()).toEqual(load.references().toSorted())
    const { rows } = await db.query("SELECT number FROM orders WHERE state = 'paid'")
    expect(rows).toHaveLength(answers.length)
    await shop.close()
  })
})

/** Returns the statements that the check prints for the next mapping. */
async function printedSql({ db }: TestPostgres): Promise<string[]> {
  const check = mappedOrderRepository(db, NEXT_MAPPING).checkAccess()
  const message = await check.then(
    () => '',
    (error: Error) => error.message,
  )
  const [, sql = ''] = message.split('run this SQL:\n\n')
  const statements = sql.trim().split('\n')
  expect(statements).toHaveLength(4)
  return statements
}

/** A server of the version that runs during the change. */
async function startShop({ db }: TestPostgres) {
  const runs: string[] = []
  const payments = createPayments({
    orders: mappedOrderRepository(db, MAPPING),
    inbox: postgresInbox(db),
    onPaid: ({ order }) => void runs.push(order.reference),
    logger: createTestLogger(),
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const app = express().post('/', tonplugWebhook(receiver))
  const server = createServer(app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    runs,
    async close() {
      server.close()
      server.closeAllConnections()
      await receiver.close()
      await payments.close()
    },
  }
}

interface Answer {
  status: number
  ms: number
}

/** Stores an order and delivers its webhook, 50 times a second. */
function startLoad({ db }: TestPostgres, url: string) {
  const pending: Promise<Answer>[] = []
  let isStopped = false
  let open = 0
  const referenceOf = (number: number): string => `new-${number}`

  const pay = async (reference: string): Promise<Answer> => {
    const start = performance.now()
    const values = [reference, '10500000000', 'buyer@shop.example']
    const insert = 'INSERT INTO orders (number, nanotons, customer_email) VALUES ($1, $2, $3)'
    await db.query(insert, values)
    const { body, headers } = signPayload(transferFor(reference), SECRET)
    const { status } = await fetch(url, { method: 'POST', headers, body })
    return { status, ms: performance.now() - start }
  }
  const run = async (): Promise<void> => {
    const start = performance.now()
    while (!isStopped) {
      open++
      pending.push(pay(referenceOf(pending.length)).finally(() => open--))
      await sleep(Math.max(0, start + (pending.length * 1000) / PER_SECOND - performance.now()))
      while (open >= AT_ONCE) await sleep(1)
    }
  }
  const running = run()
  return {
    count: () => pending.length,
    references: () => pending.map((_, number) => referenceOf(number)),
    reach: (count: number) => expect.poll(() => pending.length).toBeGreaterThanOrEqual(count),
    async stop(): Promise<Answer[]> {
      isStopped = true
      await running
      return Promise.all(pending)
    },
  }
}

function report(answers: readonly Answer[]): string {
  const ms = answers.map((answer) => answer.ms).toSorted((one, other) => one - other)
  const at = (share: number): number => Math.round(ms[Math.floor((ms.length - 1) * share)] ?? 0)
  return `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, slowest ${at(1)} ms`
}
