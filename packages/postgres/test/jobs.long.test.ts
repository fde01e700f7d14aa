import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES, openPostgres, type TestPostgres } from './databases.js'
import { count, ORDER, SECRET } from './shop.js'

// Processes have to start, on machines that may be busy.
const TIMEOUT_MS = 60_000
const CHILD = fileURLToPath(new URL('jobs.child.mjs', import.meta.url))

describe.skipIf(!hasPostgres)(`server processes with pg-boss on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  let children: ChildProcess[] = []
  beforeAll(async () => {
    database = await openPostgres(5)
    await database.db.query('CREATE TABLE running (key text PRIMARY KEY, pid integer)')
    await database.db.query('CREATE TABLE runs (key text, attempt integer, pid integer)')
  }, TIMEOUT_MS)
  afterAll(() => database.close())
  beforeEach(async () => {
    await database.clear()
    await database.db.query('TRUNCATE running, runs')
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

  /** Ends a server by SIGTERM. @returns its exit code and signal. */
  async function stopServer(child: ChildProcess | undefined): Promise<unknown[]> {
    if (child === undefined) throw new Error('there is no such server')
    children = children.filter((other) => other !== child)
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    return exited
  }

  /** Creates an order and pays it at a server. @returns the status of the answer. */
  async function pay(url: string | undefined, reference: string): Promise<number> {
    await postgresOrderRepository(database.db).create({ ...ORDER, reference })
    const payload = transferCompleted({ reference, txHash: `tx of ${reference}` })
    const { body, headers } = signPayload(payload, SECRET)
    const response = await fetch(url ?? '', { method: 'POST', headers, body })
    return response.status
  }

  async function runsOf(attempt: number): Promise<string[]> {
    const text = 'SELECT key FROM runs WHERE attempt = $1 ORDER BY key'
    const { rows } = await database.db.query<{ key: string }>(text, [attempt])
    return rows.map(({ key }) => key)
  }

  const references = Array.from({ length: 20 }, (_, index) => `order-${index}`)

  it(
    'S39 share the handlers, one run of a payment at a time',
    async () => {
      const urls = await Promise.all([startServer(), startServer(), startServer()])
      const statuses = await Promise.all(
        references.map((reference, index) => pay(urls[index % 3], reference)),
      )
      expect(statuses).toEqual(references.map(() => 200))
      await expect.poll(() => runsOf(2), { timeout: TIMEOUT_MS }).toHaveLength(20)
      // A run beside another one would have failed, and been tried once more.
      expect(await runsOf(3)).toEqual([])
      expect(new Set(await runsOf(1)).size).toBe(20)
      expect(new Set(await runsOf(2)).size).toBe(20)
      await expect
        .poll(() => count(database.db, 'handler_tasks', "state = 'done'"), { timeout: TIMEOUT_MS })
        .toBe(20)
    },
    TIMEOUT_MS,
  )

  it(
    'S52 end what runs on SIGTERM, and leave what is to be tried again to the others',
    async () => {
      const urls = await Promise.all([startServer(), startServer()])
      expect(await pay(urls[0], 'order-1')).toBe(200)
      // Either server may be the one that runs it.
      const pidsRunning = async () => {
        const { rows } = await database.db.query<{ pid: number }>('SELECT pid FROM running')
        return rows.map(({ pid }) => pid)
      }
      await expect.poll(pidsRunning, { timeout: TIMEOUT_MS }).toHaveLength(1)
      const [pid] = await pidsRunning()
      const leaving = children.find((child) => child.pid === pid)
      const staying = children.find((child) => child.pid !== pid)
      expect(await stopServer(leaving)).toEqual([0, null])
      // It ran to its end, and its failure was recorded.
      expect(await runsOf(1)).toHaveLength(1)
      await expect.poll(() => runsOf(2), { timeout: TIMEOUT_MS }).toHaveLength(1)
      const { rows } = await database.db.query('SELECT pid FROM runs WHERE attempt = 2')
      expect(rows).toEqual([{ pid: staying?.pid }])
      expect(await stopServer(staying)).toEqual([0, null])
    },
    TIMEOUT_MS,
  )

  it(
    'answer, and run handlers, after the tables of pg-boss have gone',
    async () => {
      const url = await startServer()
      await database.db.query('DROP SCHEMA pgboss CASCADE')
      expect(await pay(url, 'order-1')).toBe(200)
      await expect.poll(() => runsOf(2), { timeout: TIMEOUT_MS }).toHaveLength(1)
      expect(await stopServer(children[0])).toEqual([0, null])
    },
    TIMEOUT_MS,
  )
})
