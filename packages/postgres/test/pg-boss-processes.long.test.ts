import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { ORDER, SECRET } from './shop.js'

const CHILD = fileURLToPath(new URL('pg-boss.child.mjs', import.meta.url))

interface Shop {
  process: ChildProcess
  messages: unknown[]
}

describe.skipIf(!hasPostgres)(`server processes with pg-boss on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres(3)
  })
  afterAll(() => database.close())

  it('S39 run a task again elsewhere after its process was killed', async () => {
    const shops = [await startShop(), await startShop()]
    await pay(shops[0], 'order-1')
    const running = { running: 'order-1', attempt: 1 }
    const isRunning = ({ messages }: Shop): boolean =>
      messages.some((message) => JSON.stringify(message) === JSON.stringify(running))
    await expect.poll(() => shops.some(isRunning)).toBe(true)
    const killed = shops.find(isRunning)
    killed?.process.kill('SIGKILL')
    const shipped = { shipped: 'order-1', attempt: 2 }
    const other = shops.find((shop) => shop !== killed)
    await expect.poll(() => other?.messages).toContainEqual(shipped)
    // A job that is active when its process ends would run again in the next test.
    await expect.poll(() => statesOf('order-1')).toEqual({ task: 'done', jobs: ['completed'] })
  })

  it('S88 run a task once whose process was killed after it had added the job, before it marked the task', async () => {
    const killed = await startShop({ isKilledAfterAdd: true })
    const exited = once(killed.process, 'exit')
    await pay(killed, 'order-2')
    await exited
    expect(await statesOf('order-2')).toEqual({ task: 'open', jobs: ['created'] })
    const other = await startShop({ firstAttemptMs: 0 })
    await expect.poll(() => statesOf('order-2')).toEqual({ task: 'done', jobs: ['completed'] })
    const shipped = { shipped: 'order-2', attempt: 1 }
    expect(other.messages.filter((message) => message !== 'ready')).toEqual([
      { running: 'order-2', attempt: 1 },
      shipped,
    ])
  })

  it('S52 finish running handlers on SIGTERM', async () => {
    const shop = await startShop({ firstAttemptMs: 500 })
    await pay(shop, 'order-3')
    await expect.poll(() => shop.messages).toContainEqual({ running: 'order-3', attempt: 1 })
    const exited = once(shop.process, 'exit')
    shop.process.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(shop.messages).toContainEqual({ shipped: 'order-3', attempt: 1 })
  })

  async function startShop({
    firstAttemptMs = 1e9,
    isKilledAfterAdd = false,
  }: { firstAttemptMs?: number; isKilledAfterAdd?: boolean } = {}): Promise<Shop> {
    const settings = JSON.stringify({ firstAttemptMs, isKilledAfterAdd })
    const child = fork(CHILD, [database.url, SECRET, settings])
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    })
    const messages: unknown[] = []
    child.on('message', (message) => messages.push(message))
    await expect.poll(() => messages).toContain('ready')
    return { process: child, messages }
  }

  /** Creates an order and sends its webhook to the shop. */
  async function pay(shop: Shop | undefined, reference: string): Promise<void> {
    await postgresOrderRepository(database.db).create({ ...ORDER, reference })
    shop?.process.send(reference)
  }

  async function statesOf(reference: string): Promise<{ task: unknown; jobs: unknown[] }> {
    const text = `SELECT task.state FROM tonplug.tasks task
      JOIN tonplug.reports report ON report.id = task.report_id WHERE report.reference = $1`
    const tasks = await database.db.query<{ state: string }>(text, [reference])
    const jobs = await database.db.query<{ state: string }>(
      `SELECT state FROM pgboss.job WHERE data->>'reference' = $1`,
      [reference],
    )
    return { task: tasks.rows[0]?.state, jobs: jobs.rows.map(({ state }) => state) }
  }
})
