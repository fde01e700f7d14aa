import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { count } from './rows.js'
import { ORDER, SECRET, transferFor } from './shop.js'

const CHILD = fileURLToPath(new URL('deployed-server.child.mjs', import.meta.url))
const WALLET = transferCompleted().data.recipientAddr
const NEW_WALLET = `0:${'1'.repeat(64)}`
const FOREVER = 10_000

interface Server {
  child: ChildProcess
  url: string
}

describe.skipIf(!hasPostgres)(`replaced servers on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  const children: ChildProcess[] = []
  beforeAll(async () => {
    database = await openPostgres(5)
    await database.db.query(`CREATE TABLE ticks (
      reference text NOT NULL, pid integer NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`)
  })
  afterAll(() => database.close())
  beforeEach(async () => {
    await database.clear()
    await database.db.query('DELETE FROM ticks')
  })
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  async function startServer(ticks: number, ...wallets: string[]): Promise<Server> {
    const child = fork(CHILD, [database.url, SECRET, String(ticks), ...wallets])
    children.push(child)
    // The first message of the child is its port.
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return { child, url: `http://127.0.0.1:${port}/` }
  }

  async function send({ url }: Server, payload: object): Promise<number> {
    const { body, headers } = signPayload(payload, SECRET)
    return (await fetch(url, { method: 'POST', headers, body })).status
  }

  async function health({ url }: Server): Promise<string> {
    return (await fetch(url)).text()
  }

  async function ticksOf({ child }: Server): Promise<number> {
    const sql = 'SELECT count(*)::text AS count FROM ticks WHERE pid = $1'
    const { rows } = await database.db.query<{ count: string }>(sql, [String(child.pid)])
    return Number(rows[0]?.count)
  }

  it('S47 run the handler of a killed server', async () => {
    const first = await startServer(FOREVER)
    await postgresOrderRepository(database.db).create(ORDER)
    expect(await send(first, transferCompleted())).toBe(200)
    await expect.poll(() => ticksOf(first)).toBeGreaterThan(0)
    // Later than the task, which it could take otherwise.
    const second = await startServer(1)
    first.child.kill('SIGKILL')
    await expect.poll(() => ticksOf(second)).toBe(1)
  })

  it('S75 S76 abort the handler of a paused server when it resumes', async () => {
    const paused = await startServer(FOREVER)
    await postgresOrderRepository(database.db).create(ORDER)
    expect(await send(paused, transferCompleted())).toBe(200)
    await expect.poll(() => ticksOf(paused)).toBeGreaterThan(0)
    // Later than the task, which it could take otherwise.
    const other = await startServer(FOREVER)
    paused.child.kill('SIGSTOP')
    const ticksBefore = await ticksOf(paused)
    await expect.poll(() => ticksOf(other)).toBeGreaterThan(0)
    paused.child.kill('SIGCONT')
    const ticksOfOther = await ticksOf(other)
    await expect.poll(() => ticksOf(other)).toBeGreaterThan(ticksOfOther + 10)
    // A statement that was under way when the server was paused, and the next one.
    expect(await ticksOf(paused)).toBeLessThanOrEqual(ticksBefore + 2)
    expect(await count(database.db, 'tasks', "state = 'open' AND attempts = 2")).toBe(1)
  })

  it('S70 keep deciding during a rolling deploy of another policy', async () => {
    const orders = postgresOrderRepository(database.db)
    const decided = (reference: string): Promise<number> =>
      count(database.db, 'reports', `reference = '${reference}' AND decision->>'kind' = 'paid'`)
    const old = await startServer(1, WALLET)
    await expect.poll(() => health(old)).toBe('up')
    const deployed = await startServer(1, WALLET, NEW_WALLET)
    await expect.poll(() => health(deployed)).toBe('degraded')

    // New servers accept payments and run handlers, and old ones decide what is parked.
    await orders.create({ ...ORDER, reference: 'fresh' })
    expect(await send(deployed, transferFor('fresh'))).toBe(200)
    expect(await decided('fresh')).toBe(1)
    expect(await send(deployed, transferFor('parked'))).toBe(200)
    await orders.create({ ...ORDER, reference: 'parked' })
    await expect.poll(() => decided('parked')).toBe(1)

    // When the last old server has ended, the new policy is pinned.
    const exited = once(old.child, 'exit')
    old.child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(await send(deployed, transferFor('later'))).toBe(200)
    expect(await decided('later')).toBe(0)
    await orders.create({ ...ORDER, reference: 'later' })
    await expect.poll(() => decided('later')).toBe(1)
    await expect.poll(() => health(deployed)).toBe('up')
    await expect.poll(() => count(database.db, 'tasks', "state = 'done'")).toBe(3)
    expect((await ticksOf(old)) + (await ticksOf(deployed))).toBe(3)
  })
})
