import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createMockGateway, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { count } from './rows.js'
import { ORDER, SECRET, transfer, transferFor } from './shop.js'

const CHILD = fileURLToPath(new URL('two-processes.child.mjs', import.meta.url))

describe.skipIf(!hasPostgres)(`two server processes on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  let children: ChildProcess[] = []
  beforeAll(async () => {
    database = await openPostgres(5)
    await database.db.query('CREATE TABLE runs (key text NOT NULL, pid integer NOT NULL)')
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await database.clear()
    await database.db.query('DELETE FROM runs')
  })
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  async function startServer({ aheadMs = 0, handlerMs = 0 } = {}): Promise<string> {
    const child = fork(CHILD, [database.url, SECRET, String(aheadMs), String(handlerMs)])
    children.push(child)
    const [message] = (await once(child, 'message')) as [{ port: number }]
    return `http://127.0.0.1:${message.port}/`
  }

  /** Stops all servers and waits until they have exited. */
  async function stopServers(): Promise<void> {
    await Promise.all(
      children.map(async (child) => {
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        expect(await exited).toEqual([0, null])
      }),
    )
  }

  /** Sends each payload to each server `times` times, concurrently, until it is acknowledged. A server under load responds with 503. */
  async function deliver(urls: string[], payloads: object[], times: number): Promise<boolean> {
    const reports = await Promise.all(
      urls.flatMap((url) =>
        payloads.map((payload) =>
          createMockGateway({ url, secret: SECRET }).deliver(payload, { times }),
        ),
      ),
    )
    return reports.every(({ isDelivered }) => isDelivered)
  }

  async function runKeys(): Promise<string[]> {
    const { rows } = await database.db.query<{ key: string }>('SELECT key FROM runs ORDER BY key')
    return rows.map(({ key }) => key)
  }

  it('S39 create the tables concurrently, complete an order once and run each handler once', async () => {
    // There are no tables when both start.
    const urls = await Promise.all([startServer(), startServer()])
    await postgresOrderRepository(database.db).create(ORDER)
    expect(await deliver(urls, [transferCompleted()], 25)).toBe(true)
    await expect.poll(runKeys).toHaveLength(2)
    await stopServers()
    expect(new Set(await runKeys()).size).toBe(2)
    expect(await count(database.db, 'reports')).toBe(1)
    expect(await count(database.db, 'tasks', "state = 'done'")).toBe(2)
  })

  it('S40 complete an order once when different payments arrive at both, and report the others', async () => {
    const urls = await Promise.all([startServer(), startServer()])
    await postgresOrderRepository(database.db).create(ORDER)
    const payments = Array.from({ length: 10 }, (_, index) => transfer(index))
    expect(await deliver(urls, payments, 5)).toBe(true)
    // Two handlers of the first payment, one of each other.
    await expect.poll(runKeys).toHaveLength(11)
    await stopServers()
    expect(new Set(await runKeys()).size).toBe(11)
    expect(await count(database.db, 'tasks', "handler LIKE 'onExtraPayment%'")).toBe(9)
    expect(await count(database.db, 'reports', "decision->>'kind' = 'paid'")).toBe(1)
    expect(await count(database.db, 'reports', "decision->>'kind' = 'extra_payment'")).toBe(9)
  })

  it('S47 one runs the handlers of the other when that is killed', async () => {
    const urls = await Promise.all([startServer(), startServer()])
    const orders = postgresOrderRepository(database.db)
    const references = Array.from({ length: 20 }, (_, index) => `order-${index}`)
    for (const reference of references) await orders.create({ ...ORDER, reference })
    const [first, second] = urls
    const sent = references.map((reference) => fetchStatus(first ?? '', transferFor(reference)))
    // Some deliveries are acknowledged, and some are not.
    await Promise.any(sent)
    children[0]?.kill('SIGKILL')
    await Promise.all(sent)
    // The gateway retries; the other server receives it.
    expect(await deliver([second ?? ''], references.map(transferFor), 1)).toBe(true)
    expect(await count(database.db, 'orders', "status = 'completed'")).toBe(20)
    expect(await count(database.db, 'tasks')).toBe(40)
    // Leases of the killed server expire after 12 seconds.
    const done = () => count(database.db, 'tasks', "state = 'done'")
    await expect.poll(done).toBe(40)
    expect(await count(database.db, 'reports', "state = 'decided'")).toBe(20)
  })

  it('S75 run a handler once when their clocks differ by 90 seconds', async () => {
    // Longer than a lease.
    const handlerMs = 15_000
    const [first] = await Promise.all([
      startServer({ handlerMs }),
      startServer({ handlerMs, aheadMs: 90_000 }),
      startServer({ handlerMs, aheadMs: -90_000 }),
    ])
    await postgresOrderRepository(database.db).create(ORDER)
    expect(await fetchStatus(first, transferCompleted())).toBe(200)
    const done = () => count(database.db, 'tasks', "state = 'done'")
    await expect.poll(done).toBe(2)
    expect(await runKeys()).toHaveLength(2)
    expect(await count(database.db, 'tasks', 'attempts = 1')).toBe(2)
  })

  /** Returns 0 when the server was killed. */
  async function fetchStatus(url: string, payload: object): Promise<number> {
    const { body, headers } = signPayload(payload, SECRET)
    return fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 0,
    )
  }
})
