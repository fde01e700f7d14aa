import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createGatewayStandIn, signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES, openPostgres, type TestPostgres } from './databases.js'
import { count, ORDER, SECRET, transfer } from './shop.js'

// Handlers run after the answers, on machines that may be busy.
const TIMEOUT_MS = 30_000
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

  async function startServer(): Promise<string> {
    const child = fork(CHILD, [database.url, SECRET])
    children.push(child)
    const [message] = (await once(child, 'message')) as [{ port: number }]
    return `http://127.0.0.1:${message.port}/`
  }

  /** Stops both and waits until they have ended by themselves. */
  async function stopServers(): Promise<void> {
    await Promise.all(
      children.map(async (child) => {
        const exited = once(child, 'exit')
        child.kill('SIGTERM')
        expect(await exited).toEqual([0, null])
      }),
    )
  }

  /** Sends each payload to both servers, so many times each, all at once. */
  async function deliver(urls: string[], payloads: object[], times: number): Promise<number[]> {
    const reports = await Promise.all(
      urls.flatMap((url) =>
        payloads.map((payload) =>
          createGatewayStandIn({ url, secret: SECRET }).deliver(payload, { times }),
        ),
      ),
    )
    return reports.flatMap(({ attempts }) => attempts.map(({ status }) => status ?? 0))
  }

  async function runKeys(): Promise<string[]> {
    const { rows } = await database.db.query<{ key: string }>('SELECT key FROM runs ORDER BY key')
    return rows.map(({ key }) => key)
  }

  it('S39 make the tables together, complete an order once and run each handler once', async () => {
    // Nobody has made the tables yet when both begin.
    const urls = await Promise.all([startServer(), startServer()])
    await postgresOrderRepository(database.db).create(ORDER)
    const statuses = await deliver(urls, [transferCompleted()], 25)
    expect(statuses).toEqual(Array.from({ length: 50 }, () => 200))
    await expect.poll(runKeys, { timeout: TIMEOUT_MS }).toHaveLength(2)
    await stopServers()
    expect(new Set(await runKeys()).size).toBe(2)
    expect(await count(database.db, 'deliveries')).toBe(1)
    expect(await count(database.db, 'handler_tasks', "state = 'done'")).toBe(2)
  })

  it('S40 complete an order once when different payments of it come to both, and raise the others', async () => {
    const urls = await Promise.all([startServer(), startServer()])
    await postgresOrderRepository(database.db).create(ORDER)
    const payments = Array.from({ length: 10 }, (_, index) => transfer(index))
    const statuses = await deliver(urls, payments, 5)
    expect(statuses).toEqual(Array.from({ length: 100 }, () => 200))
    // Two handlers of the payment that won, one of each other.
    await expect.poll(runKeys, { timeout: TIMEOUT_MS }).toHaveLength(11)
    await stopServers()
    const keys = await runKeys()
    expect(new Set(keys).size).toBe(11)
    expect(keys.filter((key) => key.startsWith('onExtraPayment:'))).toHaveLength(9)
    expect(await count(database.db, 'deliveries', "decision->>'kind' = 'paid'")).toBe(1)
    expect(await count(database.db, 'deliveries', "decision->>'kind' = 'extra_payment'")).toBe(9)
  })

  it('S47 one goes on with the payments of the other when that is killed', async () => {
    const urls = await Promise.all([startServer(), startServer()])
    const orders = postgresOrderRepository(database.db)
    const references = Array.from({ length: 20 }, (_, index) => `order-${index}`)
    for (const reference of references) await orders.create({ ...ORDER, reference })
    const [first, second] = urls
    const sent = references.map((reference) =>
      fetchStatus(first ?? '', transferCompleted({ reference })),
    )
    // In the middle of its deliveries, some answered and some not.
    await Promise.any(sent)
    children[0]?.kill('SIGKILL')
    await Promise.all(sent)
    // The gateway tries again what was not answered; the other server gets it.
    const statuses = await Promise.all(
      references.map((reference) => fetchStatus(second ?? '', transferCompleted({ reference }))),
    )
    expect(statuses).toEqual(references.map(() => 200))
    expect(await count(database.db, 'orders', "status = 'completed'")).toBe(20)
    expect(await count(database.db, 'handler_tasks')).toBe(40)
    expect(await count(database.db, 'deliveries', "state = 'decided'")).toBe(20)
  })

  /** 0 when the server was killed meanwhile. */
  async function fetchStatus(url: string, payload: object): Promise<number> {
    const { body, headers } = signPayload(payload, SECRET)
    return fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => status,
      () => 0,
    )
  }
})
