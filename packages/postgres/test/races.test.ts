import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Order } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres, type TestPostgres } from './databases.js'
import { PAYMENT } from './money.js'
import { newReport, paid, subscribe } from './reports.js'
import { count } from './rows.js'
import {
  closeShop,
  openShop,
  ORDER,
  SECRET,
  withClock,
  type ClockedDatabase,
  type Shop,
} from './shop.js'

// Each of these needs a second connection that locks a row at the right moment.
describe.skipIf(!hasPostgres)(`transactions that wait for each other on ${NEEDS_POSTGRES}`, () => {
  let database: ClockedDatabase<TestPostgres>
  beforeAll(async () => {
    database = await withClock(await openPostgres())
  })
  afterAll(() => database.close())
  beforeEach(() => database.clear())

  const open = (): Shop => openShop(database.timed, { clock: database.clock })

  /** Runs `work` while another session has locked the rows of `sql`; commits before it ends. */
  async function holding<Result>(
    sql: string,
    work: (release: () => Promise<void>) => Promise<Result>,
  ): Promise<Result> {
    const client = await database.db.connect()
    let isHeld = true
    const release = async (): Promise<void> => {
      if (!isHeld) return
      isHeld = false
      await client.query('COMMIT')
    }
    try {
      await client.query('BEGIN')
      await client.query(sql)
      return await work(release)
    } finally {
      await release()
      client.release()
    }
  }

  /** Returns the sessions that wait for a lock. */
  async function waiting(): Promise<number[]> {
    const { rows } = await database.db.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.map(({ pid }) => pid)
  }

  async function untilWaiting(sessions: number): Promise<number[]> {
    await expect.poll(waiting, { interval: 5 }).toHaveLength(sessions)
    return waiting()
  }

  const LOCK_ORDER = 'SELECT FROM tonplug.orders FOR UPDATE'

  it('S45 commits nothing when the connection is cut during the statement', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    const answer = await holding(LOCK_ORDER, async () => {
      const answered = shop.send()
      const [pid] = await untilWaiting(1)
      await database.db.query('SELECT pg_terminate_backend($1)', [pid])
      return answered
    })
    expect(answer).toMatchObject({ status: 503, decision: { reason: 'store' } })
    expect((await shop.orders.find(ORDER))?.status).toBe('pending')
    expect(await count(database.db, 'reports', "state = 'undecided'")).toBe(1)
    expect(await count(database.db, 'tasks')).toBe(0)

    expect((await shop.send()).decision.kind).toBe('paid')
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    expect(shop.runs).toHaveLength(1)
  })

  it('S48 continues after every idle connection was cut', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    await database.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    await expect.poll(async () => (await shop.send()).status, { interval: 5 }).toBe(200)
    expect((await shop.orders.find(ORDER))?.status).toBe('completed')
  })

  it('S44 responds 200 to a duplicate only when the first is durable', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    const answered: number[] = []
    const statuses = await holding(LOCK_ORDER, async (release) => {
      const deliveries = [shop.send(), shop.send()].map(async (answer) => {
        answered.push((await answer).status)
        return (await answer).status
      })
      await untilWaiting(2)
      expect(answered).toEqual([])
      await release()
      return Promise.all(deliveries)
    })
    expect(statuses).toEqual([200, 200])
    expect(shop.receiver.stats()).toEqual({ paid: 1, duplicate: 1 })
  })

  it('S41 runs the handler once when the chain watcher finds the payment of a webhook concurrently', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    const { data } = transferCompleted()
    const [answer, found] = await holding(LOCK_ORDER, async (release) => {
      const sent = shop.send()
      await untilWaiting(1)
      const source = 'chain'
      const rawBody = JSON.stringify({ event: 'transfer.completed', timestamp: '', data })
      const submitted = shop.payments.submit({ source, rawBody, transfer: data })
      await untilWaiting(2)
      await release()
      return Promise.all([sent, submitted])
    })
    expect([answer.decision.kind, found?.kind]).toEqual(['paid', 'paid'])
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    expect(await count(database.db, 'tasks')).toBe(1)
    expect(shop.runs).toHaveLength(1)
  })

  it('S51 responds 503 at the deadline, and the late commit makes the retry a duplicate', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    await holding(LOCK_ORDER, async (release) => {
      const late = shop.send()
      await untilWaiting(1)
      await shop.clock.advance(8000)
      expect((await late).decision).toMatchObject({ reason: 'deadline' })
      await release()
    })
    await shop.advanceUntil(() => shop.runs.length > 0)
    const retry = await shop.send()
    expect([retry.status, retry.decision.kind]).toEqual([200, 'duplicate'])
    await closeShop(shop)
    expect(shop.runs).toHaveLength(1)
  })

  it('S52 waits for a running delivery before it closes, and leaves the handler to another server', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    await holding(LOCK_ORDER, async (release) => {
      const answer = shop.send()
      await untilWaiting(1)
      const closed = shop.receiver.close().then(() => shop.payments.close())
      expect((await shop.send()).status).toBe(503)
      await release()
      expect((await answer).status).toBe(200)
      await closed
    })
    expect(await count(database.db, 'tasks', "state = 'open'")).toBe(1)
    expect(shop.runs).toEqual([])
    const next = open()
    await next.advanceUntil(() => next.runs.length > 0)
  })

  it('S53 completes the order of a sender that disconnects before the response', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    const server = createServer(express().post('/', tonplugWebhook(shop.receiver)))
    server.listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    // A listening TCP server has an address object.
    const { port } = server.address() as AddressInfo
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    const send = (signal?: AbortSignal) =>
      fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers, signal: signal ?? null })
    const left = new AbortController()
    await holding(LOCK_ORDER, async () => {
      const gone = new Promise((resolve) =>
        server.once('request', (request: IncomingMessage) => request.socket.once('close', resolve)),
      )
      const unanswered = send(left.signal).catch((error: Error) => error.name)
      await untilWaiting(1)
      left.abort()
      expect(await unanswered).toBe('AbortError')
      await gone
    })
    await shop.advanceUntil(() => shop.runs.length > 0)
    expect((await shop.orders.find(ORDER))?.status).toBe('completed')
    expect((await send()).status).toBe(200)
    await closeShop(shop)
    expect(shop.receiver.stats()).toEqual({ paid: 1, duplicate: 1 })
    expect(shop.runs).toHaveLength(1)
  })

  it('S42 reports a payment whose order is being cancelled', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    const cancel = "UPDATE tonplug.orders SET status = 'cancelled'"
    const answer = await holding(cancel, async (release) => {
      const answered = shop.send()
      await untilWaiting(1)
      await release()
      return answered
    })
    expect([answer.status, answer.decision.kind]).toEqual([200, 'paid_after_cancel'])
  })

  it('S40 reports the payment that waits for another one of the same order', async () => {
    const shop = open()
    await shop.orders.create(ORDER)
    const complete = `UPDATE tonplug.orders
      SET status = 'completed', payment_tx_hash = 'other', payment = '{"rawAmount":"1","txHash":"other"}'`
    const answer = await holding(complete, async (release) => {
      const answered = shop.send()
      await untilWaiting(1)
      await release()
      return answered
    })
    expect(answer.decision).toMatchObject({ kind: 'extra_payment', completedBy: 'other' })
  })

  it('S38 replaces a decision by paid that another server is recording', async () => {
    const inbox = postgresInbox(database.db)
    await subscribe(inbox, ['onPaid'])
    const orders = postgresOrderRepository(database.db)
    await orders.create(ORDER)
    const report = await inbox.reports.store(newReport())
    const decision = paid(report)
    const duplicate = `UPDATE tonplug.reports
      SET state = 'decided', retry_at = NULL, decision = '{"kind":"duplicate"}'`
    const made = await holding(duplicate, async (release) => {
      const moved = inbox.joinOrders?.<Order>(orders)?.completeAndDecide(report.id, {
        key: { merchant: '', reference: 'order-1' },
        payment: PAYMENT,
        payments: ['tx:ab'],
        record: { decision, event: 'onPaid' },
      })
      await untilWaiting(1)
      await release()
      return moved
    })
    expect(made).toEqual({ transition: 'applied', isRecorded: true, decision })
    expect((await inbox.reports.find(report.id))?.decision).toEqual(decision)
    expect((await orders.find(ORDER))?.status).toBe('completed')
    expect(await count(database.db, 'tasks')).toBe(1)
  })

  it('S82 completes no order with a payment that another server is claiming', async () => {
    const inbox = postgresInbox(database.db)
    const orders = postgresOrderRepository(database.db)
    await orders.create(ORDER)
    const report = await inbox.reports.store(newReport())
    const claim = `INSERT INTO tonplug.payments (key_hash, name, merchant, payment, reference)
      VALUES (sha256(convert_to('["default","","tx:ab"]', 'UTF8')), 'default', '', 'tx:ab', 'order-2')`
    const made = await holding(claim, async (release) => {
      const moved = inbox.joinOrders?.<Order>(orders)?.completeAndDecide(report.id, {
        key: { merchant: '', reference: 'order-1' },
        payment: PAYMENT,
        payments: ['tx:0', 'tx:ab'],
        record: { decision: paid(report) },
      })
      await untilWaiting(1)
      await release()
      return moved
    })
    expect(made).toEqual({ transition: 'reused' })
    expect((await orders.find(ORDER))?.status).toBe('pending')
    expect(await count(database.db, 'payments')).toBe(1)
    expect((await inbox.reports.find(report.id))?.state).toBe('undecided')
  })

  it('stores one row when a repetition waits for the first to commit', async () => {
    const inbox = postgresInbox(database.db)
    const first = `INSERT INTO tonplug.reports
      (name, merchant, key_hash, source, reference, tx_hash, raw_body, signed_with, payments,
        was_completed_before, received_at, state, retry_at)
      VALUES ('default', '', sha256('key'), 'webhook', 'order-1', 'tx', 'first', 'secret', '[]',
        false, now(), 'undecided', now())`
    const stored = await holding(first, async (release) => {
      const repeated = inbox.reports.store(newReport({ key: 'key' }))
      await untilWaiting(1)
      await release()
      return repeated
    })
    expect(stored.rawBody).toBe('first')
  })

  it('keeps a report whose task is added while it is being deleted', async () => {
    const inbox = postgresInbox(database.db)
    await subscribe(inbox, ['onPaid'])
    const report = await inbox.reports.store(newReport())
    const { id, reference, txHash } = report
    await inbox.reports.decide(id, { decision: { kind: 'duplicate', reference, txHash } })
    const query = { name: 'default', olderThanMs: -1000, limit: 10 }
    const deleted = await holding('SELECT FROM tonplug.reports FOR UPDATE', async (release) => {
      const counted = await inbox.reports.forget(query)
      await release()
      return counted
    })
    expect(deleted).toBe(0)
    await inbox.reports.decide(id, { decision: paid(report), event: 'onPaid' })
    expect(await inbox.reports.forget(query)).toBe(0)
  })
})
