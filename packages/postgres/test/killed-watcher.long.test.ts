import { fork, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  onTestFinished,
} from 'vitest'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { openPostgres, type TestPostgres } from './databases.js'

const CHILD = fileURLToPath(new URL('killed-watcher.child.mjs', import.meta.url))
const RECIPIENT = `0:${'AB'.repeat(32)}`
const PAYER = `0:${'CD'.repeat(32)}`
const ORDERS = Number(process.env['WATCHED_ORDERS'] ?? 300)
const PER_SECOND = 50
const LONG_MS = 900_000

describe.skipIf(!hasPostgres)(`watchers that are killed, on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres()
  })
  afterAll(() => database.close())

  it(
    'S100 two watchers pay each order once, although one is killed at any moment',
    { timeout: LONG_MS },
    async () => {
      const { db, url } = database
      const orders = postgresOrderRepository(db)
      await db.query('CREATE TABLE runs (reference text NOT NULL, key text NOT NULL)')
      const firstUtime = Math.floor(Date.now() / 1000)
      for (let number = 0; number < ORDERS; number++) {
        await orders.create({
          reference: String(number),
          rawAmount: 1_000_000_000n,
          asset: 'TON',
          data: {},
          bodyBase64Hash: createHash('sha256').update(`body ${number}`).digest('base64'),
        })
      }
      const args = [url, RECIPIENT, PAYER, ORDERS, PER_SECOND, firstUtime].map(String)
      const start = (): ChildProcess => fork(CHILD, args)
      const servers = [start(), start()]
      onTestFinished(() => servers.forEach((server) => void server.kill('SIGKILL')))
      const count = async (query: string): Promise<number> => {
        const { rows } = await db.query<{ count: number }>(query)
        return rows[0]?.count ?? 0
      }
      const completed = (): Promise<number> =>
        count(`SELECT count(*)::int FROM tonplug.orders WHERE status = 'completed'`)

      let kills = 0
      const beganMs = Date.now()
      while (kills < 2 || (await completed()) < ORDERS) {
        const victim = servers[kills % 2]!
        await Promise.race([once(victim, 'message'), once(victim, 'exit')])
        // On a slow machine a server needs longer to store what it has found.
        await sleep(Math.random() * Math.max(1500, (Date.now() - beganMs) / 4))
        victim.kill('SIGKILL')
        servers[kills % 2] = start()
        kills++
      }
      await expect
        .poll(() => count('SELECT count(DISTINCT reference)::int FROM runs'), { timeout: LONG_MS })
        .toBe(ORDERS)
      console.log(`${ORDERS} orders, ${kills} watchers killed`)
      // A handler runs again after a crash, with the same key.
      expect(await count('SELECT count(DISTINCT key)::int FROM runs')).toBe(ORDERS)
      const paid = `SELECT count(DISTINCT txhash)::int FROM (SELECT payment->>'txHash' AS txhash FROM tonplug.orders) p`
      expect(await count(paid)).toBe(ORDERS)
    },
  )
})

describe.skipIf(!hasPostgres)(`the lease of a watching server, on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeEach(async () => {
    database = await openPostgres()
    await database.db.query('CREATE TABLE runs (reference text NOT NULL, key text NOT NULL)')
  })
  afterEach(() => database.close())

  /** Starts a server that watches for the payment of order 0, which arrives in the given second. */
  async function startServer(paidAt: number): Promise<ChildProcess> {
    const args = [database.url, RECIPIENT, PAYER, 1, 1, paidAt, 'start'].map(String)
    const server = fork(CHILD, args)
    onTestFinished(() => void server.kill('SIGKILL'))
    await once(server, 'message')
    return server
  }
  const read = async (query: string): Promise<unknown> => {
    const { rows } = await database.db.query<{ value: unknown }>(query)
    return rows[0]?.value
  }
  const holder = (): Promise<unknown> => read('SELECT holder AS value FROM tonplug.cursors')
  const status = (): Promise<unknown> => read('SELECT status AS value FROM tonplug.orders')
  const order = {
    reference: '0',
    rawAmount: 1_000_000_000n,
    asset: 'TON',
    data: {},
    bodyBase64Hash: createHash('sha256').update('body 0').digest('base64'),
  } as const

  it('S112 finds a payment on another server after the watching one was killed', async () => {
    const paidAt = Math.floor(Date.now() / 1000) + 5
    const watching = await startServer(paidAt)
    await expect.poll(holder).toBeTypeOf('string')
    const first = await holder()
    await startServer(paidAt)
    await sleep(2000)
    watching.kill('SIGKILL')
    await postgresOrderRepository(database.db).create(order)
    await expect.poll(status).toBe('completed')
    expect(await holder()).not.toBe(first)
  })

  it('S112 a server that was paused for longer than its lease takes nothing back', async () => {
    const paidAt = Math.floor(Date.now() / 1000) + 5
    const watching = await startServer(paidAt)
    await expect.poll(holder).toBeTypeOf('string')
    const first = await holder()
    await startServer(paidAt)
    watching.kill('SIGSTOP')
    await postgresOrderRepository(database.db).create(order)
    await expect.poll(status).toBe('completed')
    const next = await holder()
    expect(next).not.toBe(first)
    watching.kill('SIGCONT')
    await sleep(6000)
    expect(await holder()).toBe(next)
    await expect.poll(() => read('SELECT count(*)::int AS value FROM runs')).toBe(1)
  })
})
