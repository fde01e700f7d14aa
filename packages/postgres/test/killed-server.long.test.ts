import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { signPayload } from '@tonplug/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { ORDER, SECRET, transferFor } from './shop.js'

const CHILD = fileURLToPath(new URL('killed-server.child.mjs', import.meta.url))
const KILLS = 8
const DELIVERIES = 12

describe.skipIf(!hasPostgres)(`a killed Express server on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  const children: ChildProcess[] = []
  beforeAll(async () => {
    database = await openPostgres(5)
    await database.db.query('CREATE TABLE runs (reference text NOT NULL, key text NOT NULL)')
  })
  afterAll(() => database.close())
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  async function startServer(): Promise<{ child: ChildProcess; url: string }> {
    const child = fork(CHILD, [database.url, SECRET])
    children.push(child)
    // The first message of the child is its port.
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    return { child, url: `http://127.0.0.1:${port}/webhooks/ton` }
  }

  it('S45 S46 S47 loses no acknowledged payment, and completes no order twice', async () => {
    const orders = postgresOrderRepository(database.db)
    const acknowledged: string[] = []
    const send = async (url: string, reference: string): Promise<void> => {
      const { body, headers } = signPayload(transferFor(reference), SECRET)
      const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined)
      if (response?.status === 200) acknowledged.push(reference)
    }
    const sent: string[] = []
    for (let generation = 0; generation < KILLS; generation++) {
      const { child, url } = await startServer()
      const references = Array.from({ length: DELIVERIES }, (_, n) => `order-${generation}-${n}`)
      for (const reference of references) await orders.create({ ...ORDER, reference })
      sent.push(...references)
      const answers = references.map((reference) => send(url, reference))
      // Killed after the first response, the second, and so on, with other requests in flight.
      const before = acknowledged.length
      await untilMore(acknowledged, before + generation)
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await Promise.all([exited, ...answers])
    }

    // Nothing is sent again: the next server finishes what was acknowledged.
    await startServer()
    await expect.poll(() => openTasks(acknowledged)).toEqual([])
    for (const reference of acknowledged) {
      expect((await orders.find({ reference }))?.status).toBe('completed')
    }
    // Stored reports are decided too, acknowledged or not; no payment has two keys.
    const { rows } = await database.db.query<{ keys: string }>(
      'SELECT count(DISTINCT key)::text AS keys FROM runs GROUP BY reference',
    )
    expect(new Set(rows.map(({ keys }) => keys))).toEqual(new Set(['1']))
    // In one statement, since the server may still be deciding reports without a response.
    const counts = await database.db.query<{ paid: number; completed: number }>(`SELECT
      (SELECT count(*)::int FROM tonplug.reports WHERE decision->>'kind' = 'paid') AS paid,
      (SELECT count(*)::int FROM tonplug.orders WHERE status = 'completed') AS completed`)
    const [counted] = counts.rows
    expect(counted?.paid).toBe(counted?.completed)
    expect(counted?.paid).toBeGreaterThanOrEqual(acknowledged.length)
    expect(counted?.paid).toBeLessThanOrEqual(sent.length)
  })

  /** Returns the acknowledged payments whose handler has not run. */
  async function openTasks(acknowledged: string[]): Promise<string[]> {
    const { rows } = await database.db.query<{ reference: string }>('SELECT reference FROM runs')
    const handled = new Set(rows.map(({ reference }) => reference))
    return acknowledged.filter((reference) => !handled.has(reference))
  }

  async function untilMore(list: string[], length: number): Promise<void> {
    await expect.poll(() => list.length, { interval: 1 }).toBeGreaterThan(length)
  }
})
