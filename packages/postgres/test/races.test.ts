import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Order } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { databaseOf } from '../src/database.js'
import { joinByStatement } from '../src/join-by-statement.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES, openPostgres, type TestPostgres } from './databases.js'
import { closeShop, count, openShop, ORDER, SECRET } from './shop.js'

// Each of these needs a second connection that holds a lock at the right moment.
describe.skipIf(!hasPostgres)(`transactions that wait for each other on ${NEEDS_POSTGRES}`, () => {
  let database: TestPostgres
  beforeAll(async () => {
    database = await openPostgres()
    await postgresOrderRepository(database.db).findByReference('')
  })
  afterAll(() => database.close())
  beforeEach(() => database.clear())

  /** Runs `meanwhile` while another session holds the rows that `sql` locks; commits before it ends. */
  async function holding<Result>(
    sql: string,
    meanwhile: (release: () => Promise<void>) => Promise<Result>,
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
      return await meanwhile(release)
    } finally {
      await release()
      client.release()
    }
  }

  /** The sessions that wait for a lock. */
  async function waiting(): Promise<number[]> {
    const { rows } = await database.db.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.map(({ pid }) => pid)
  }

  async function untilWaiting(sessions: number): Promise<number[]> {
    await expect.poll(waiting, { timeout: 10_000, interval: 5 }).toHaveLength(sessions)
    return waiting()
  }

  const LOCK_ORDER = 'SELECT FROM tonplug.orders FOR UPDATE'

  it('S45 leaves nothing half done when the connection is cut in the middle', async () => {
    const shop = openShop(database.db)
    await shop.orders.create(ORDER)
    const answer = await holding(LOCK_ORDER, async () => {
      const answered = shop.send()
      const [pid] = await untilWaiting(1)
      await database.db.query('SELECT pg_terminate_backend($1)', [pid])
      return answered
    })
    expect(answer).toMatchObject({ status: 503, decision: { reason: 'store' } })
    expect((await shop.orders.findByReference('order-1'))?.status).toBe('pending')
    expect(await count(database.db, 'deliveries', "state = 'undecided'")).toBe(1)
    expect(await count(database.db, 'handler_tasks')).toBe(0)

    expect((await shop.send()).decision.kind).toBe('paid')
    await shop.advanceUntil(() => shop.runs.length > 0)
    await closeShop(shop)
    expect(shop.runs).toHaveLength(1)
  })

  it('S48 goes on by itself after every idle connection was cut', async () => {
    const shop = openShop(database.db)
    await shop.orders.create(ORDER)
    await database.db.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    await expect
      .poll(async () => (await shop.send()).status, { timeout: 10_000, interval: 5 })
      .toBe(200)
    expect((await shop.orders.findByReference('order-1'))?.status).toBe('completed')
  })

  it('S44 answers a duplicate 200 only when the first is durable, and 503 at the deadline', async () => {
    const shop = openShop(database.db)
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

  it('S41 does not call a webhook lost that completes the order while its payment is being found', async () => {
    const told: string[] = []
    const shop = openShop(database.db, { onLostWebhook: () => void told.push('lost') })
    await shop.orders.create(ORDER)
    const [answer, found] = await holding(LOCK_ORDER, async (release) => {
      const sent = shop.send()
      await untilWaiting(1)
      // Told in other words, so that it is another delivery.
      const transfer = { ...transferCompleted().data, amount: '10.50' }
      const settled = shop.receiver.settleFound({ transfer, foundBy: 'chain' })
      await untilWaiting(2)
      await release()
      return Promise.all([sent, settled])
    })
    expect([answer.decision.kind, found?.kind]).toEqual(['paid', 'paid'])
    await shop.advanceUntil(() => shop.runs.length > 0)
    expect(await count(database.db, 'handler_tasks')).toBe(1)
    expect([shop.runs.length, told]).toEqual([1, []])
  })

  it('S51 answers 503 at the deadline, and the late commit makes the retry a duplicate', async () => {
    const shop = openShop(database.db)
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

  it('S52 lets a delivery in flight end before the receiver is closed', async () => {
    const shop = openShop(database.db)
    await shop.orders.create(ORDER)
    await holding(LOCK_ORDER, async (release) => {
      const answer = shop.send()
      await untilWaiting(1)
      const closed = shop.receiver.close()
      expect((await shop.send()).status).toBe(503)
      await release()
      expect((await answer).status).toBe(200)
      await closed
    })
    expect(await count(database.db, 'handler_tasks', "state = 'open'")).toBe(1)
    const next = openShop(database.db)
    await next.advanceUntil(() => next.runs.length > 0)
  })

  it('S53 completes the order of a sender that left before the answer, and harms nobody', async () => {
    const shop = openShop(database.db)
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
    expect((await shop.orders.findByReference('order-1'))?.status).toBe('completed')
    expect((await send()).status).toBe(200)
    await closeShop(shop)
    expect(shop.receiver.stats()).toEqual({ paid: 1, duplicate: 1 })
    expect(shop.runs).toHaveLength(1)
  })

  it('S42 raises a payment whose order is being cancelled', async () => {
    const shop = openShop(database.db)
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

  it('S40 raises the payment that waits for another one of the same order', async () => {
    const shop = openShop(database.db)
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

  it('S38 lets paid take the place of a decision that another server is recording', async () => {
    const inbox = postgresInbox(database.db)
    const orders = postgresOrderRepository(database.db)
    await orders.create(ORDER)
    const { id } = await inbox.store(DELIVERY)
    const duplicate = `UPDATE tonplug.deliveries
      SET state = 'decided', retry_at = NULL, decision = '{"kind":"duplicate"}'`
    const made = await holding(duplicate, async (release) => {
      const moved = joinByStatement<Order>(databaseOf(database.db)).completeAndDecide(id, MOVE)
      await untilWaiting(1)
      await release()
      return moved
    })
    expect(made).toEqual({ transition: 'applied', isRecorded: true, decision: PAID })
    expect((await inbox.find(id))?.decision).toEqual(PAID)
    expect((await orders.findByReference('order-1'))?.status).toBe('completed')
    expect(await count(database.db, 'handler_tasks')).toBe(1)
  })

  it('stores one row when a repetition waits for the first to commit', async () => {
    const inbox = postgresInbox(database.db)
    const first = `INSERT INTO tonplug.deliveries
      (receiver, key, key_hash, reference, tx_hash, raw_body, signed_with, was_completed_before,
        received_at, retry_at)
      VALUES ('default', 'key', sha256('key'), 'order-1', 'tx', 'first', 'secret', false, now(), now())`
    const stored = await holding(first, async (release) => {
      const repeated = inbox.store({ ...DELIVERY, key: 'key' })
      await untilWaiting(1)
      await release()
      return repeated
    })
    expect(stored.rawBody).toBe('first')
  })

  it('keeps a delivery whose task is added while it is being forgotten', async () => {
    const inbox = postgresInbox(database.db)
    const { id } = await inbox.store(DELIVERY)
    await inbox.decide(id, { decision: { ...PAID, kind: 'duplicate' }, tasks: [] })
    const query = { receiver: 'default', receivedBeforeMs: 2, limit: 10 }
    const forgotten = await holding(
      'SELECT FROM tonplug.deliveries FOR UPDATE',
      async (release) => {
        const counted = await inbox.forgetDecided(query)
        await release()
        return counted
      },
    )
    expect(forgotten).toBe(0)
    await inbox.decide(id, { decision: PAID, tasks: MOVE.verdict.tasks })
    expect(await inbox.forgetDecided(query)).toBe(0)
  })
})

const PAID = {
  kind: 'paid',
  reference: 'order-1',
  txHash: 'tx',
  expected: '1',
  received: '1',
  amountRule: 'equal',
  late: false,
} as const

const DELIVERY = {
  receiver: 'default',
  key: 'any',
  reference: 'order-1',
  txHash: 'tx',
  rawBody: '{}',
  signedWith: 'secret',
  wasCompletedBefore: false,
  receivedAtMs: 1,
  retryAtMs: 1,
}

const MOVE = {
  reference: 'order-1',
  payment: {
    txHash: 'tx',
    traceId: 'trace',
    bodyBase64Hash: 'hash',
    rawAmount: 1n,
    asset: 'TON',
    senderAddr: 'sender',
    recipientAddr: 'recipient',
    date: '',
    late: false,
  },
  verdict: { decision: PAID, tasks: [{ handler: 'onPaid', idempotencyKey: 'task' }] },
}
