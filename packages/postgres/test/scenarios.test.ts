import type { Inbox } from '@tonplug/core'
import { createManualClock, transferCompleted, transferFailed } from '@tonplug/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import {
  hasPostgres,
  NEEDS_POSTGRES,
  openPGlite,
  openPostgres,
  type TestDatabase,
} from './databases.js'
import {
  closeShop,
  count,
  isCompletion,
  openShop,
  ORDER,
  tapped,
  transfer,
  type Shop,
} from './shop.js'

describeScenarios('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeScenarios('PostgreSQL', () => openPostgres(50))
})

function describeScenarios(name: string, open: () => Promise<TestDatabase>): void {
  describe(`a receiver on ${name}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())
    beforeEach(() => database.clear())

    it('decides a delivery in two round trips, and a repetition in one', async () => {
      const texts: string[] = []
      const db = tapped(database.db, { after: (text) => void texts.push(text) })
      const shop = openShop(db, { onPaid: undefined })
      await shop.orders.create(ORDER)
      // The sweep's own look at the inbox comes whenever it likes.
      const ofReceiver = () => texts.filter((text) => !/SKIP LOCKED|least\(/.test(text))
      const before = ofReceiver().length
      expect((await shop.send()).decision.kind).toBe('paid')
      expect(ofReceiver().length - before).toBe(2)
      expect((await shop.send()).decision.kind).toBe('duplicate')
      expect(ofReceiver().length - before).toBe(3)
    })

    it('S38 answers fifty identical deliveries 200, with one transition and one run', async () => {
      const shop = openShop(database.db)
      await shop.orders.create(ORDER)
      const answers = await Promise.all(Array.from({ length: 50 }, () => shop.send()))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
      await shop.advanceUntil(() => shop.runs.length > 0)
      await closeShop(shop)
      expect(shop.receiver.stats()).toEqual({ paid: 1, duplicate: 49 })
      expect(shop.runs).toHaveLength(1)
      expect(await count(database.db, 'deliveries')).toBe(1)
      expect(await count(database.db, 'handler_tasks', "state = 'done'")).toBe(1)
    })

    it('S40 records fifty payments of one order, completes it once and raises the others', async () => {
      const raised: string[] = []
      const shop = openShop(database.db, {
        onExtraPayment: ({ decision }) => void raised.push(decision.txHash),
      })
      await shop.orders.create(ORDER)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => shop.send(transfer(index))),
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(shop.receiver.stats()).toEqual({ paid: 1, extra_payment: 49 })
      const winner = answers.findIndex(({ decision }) => decision.kind === 'paid')
      const order = await shop.orders.findByReference('order-1')
      expect(order?.payment?.txHash).toBe(winner.toString(16).padStart(64, '0'))
      await shop.advanceUntil(() => raised.length >= 49 && shop.runs.length > 0)
      expect(new Set(raised).size).toBe(49)
      expect(shop.runs).toHaveLength(1)
      expect(await count(database.db, 'deliveries', "state = 'decided'")).toBe(50)
    })

    it('S41 leaves one transition when a reconciler completes the same payment meanwhile', async () => {
      const transitions: string[] = []
      const orders = postgresOrderRepository(database.db)
      const db = tapped(database.db, {
        async before(text) {
          if (isCompletion(text)) transitions.push(await orders.complete('order-1', payment))
        },
      })
      const shop = openShop(db)
      await orders.create(ORDER)
      const payload = transferCompleted()
      const payment = {
        ...payload.data,
        rawAmount: BigInt(payload.data.rawAmount),
        late: false,
      }
      expect((await shop.send(payload)).status).toBe(200)
      expect(transitions).toEqual(['applied'])
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect((await shop.send(payload)).decision.kind).toBe('duplicate')
      await closeShop(shop)
      expect(shop.runs).toHaveLength(1)
    })

    it('S42 raises a payment of an order that the shop cancelled meanwhile', async () => {
      let cancel = async (): Promise<unknown> => undefined
      const db = tapped(database.db, {
        before: async (text) => void (isCompletion(text) && (await cancel())),
      })
      const shop = openShop(db)
      await shop.orders.create(ORDER)
      cancel = () => shop.orders.cancel('order-1')
      const answer = await shop.send()
      expect([answer.status, answer.decision.kind]).toEqual([200, 'paid_after_cancel'])
      expect((await shop.orders.findByReference('order-1'))?.status).toBe('cancelled')
    })

    it('S43 completes an expired order and marks it late', async () => {
      const shop = openShop(database.db)
      await shop.orders.create(ORDER)
      expect(await shop.orders.expire('order-1')).toBe(true)
      expect((await shop.send()).decision).toMatchObject({ kind: 'paid', late: true })
      expect((await shop.orders.findByReference('order-1'))?.payment?.late).toBe(true)
      expect(await shop.orders.expire('order-1')).toBe(false)
      expect(await shop.orders.cancel('order-1')).toBe(false)
    })

    it('S28 S29 records a failure with its decision, and completes the order afterwards', async () => {
      const shop = openShop(database.db)
      await shop.orders.create(ORDER)
      const failed = await shop.send(transferFailed({ errorMessage: 'half \ud800 of a pair' }))
      expect([failed.status, failed.decision.kind]).toEqual([200, 'failed'])
      const order = await shop.orders.findByReference('order-1')
      expect(order).toMatchObject({ status: 'failed', failure: { errorCode: 36 } })
      expect((await shop.send(transfer(2))).decision.kind).toBe('paid')
    })

    it.each([
      ['S45', 'before'],
      ['S46', 'after'],
    ] as const)('%s repairs a connection lost %s the commit', async (_, moment) => {
      let hasFailed = false
      const lose = (text: string): void => {
        if (!isCompletion(text) || hasFailed) return
        hasFailed = true
        throw new Error('Connection terminated unexpectedly')
      }
      const dying = openShop(tapped(database.db, { [moment]: lose }))
      await dying.orders.create(ORDER)
      expect((await dying.send()).status).toBe(503)
      await closeShop(dying)
      // The transition and its decision were both made, or neither.
      const isMade = moment === 'after' ? 1 : 0
      expect(await count(database.db, 'orders', "status = 'completed'")).toBe(isMade)
      expect(await count(database.db, 'deliveries', "state = 'decided'")).toBe(isMade)
      expect(await count(database.db, 'handler_tasks')).toBe(isMade)

      const next = openShop(database.db)
      const answer = await next.send()
      expect([answer.status, answer.decision.kind]).toEqual([200, isMade ? 'duplicate' : 'paid'])
      await next.advanceUntil(() => next.runs.length > 0)
      await closeShop(next)
      expect([...dying.runs, ...next.runs]).toHaveLength(1)
    })

    it('S45 decides by itself what was stored before the process died', async () => {
      const down = tapped(database.db, {
        before: (text) => {
          if (isCompletion(text)) throw new Error('killed')
        },
      })
      const dying = openShop(down)
      await dying.orders.create(ORDER)
      expect((await dying.send()).status).toBe(503)
      const next = openShop(database.db)
      await next.advanceUntil(() => next.runs.length > 0)
      expect(next.runs[0]?.attempt).toBe(1)
    })

    it('S47 runs a handler again when the server that ran it is gone, by the same key', async () => {
      let started = (): void => undefined
      const isRunning = new Promise<void>((resolve) => {
        started = resolve
      })
      const keys: string[] = []
      const hanging = openShop(database.db, {
        onPaid: (_, { idempotencyKey }) => {
          keys.push(idempotencyKey)
          started()
          return new Promise(() => undefined)
        },
      })
      await hanging.orders.create(ORDER)
      await hanging.send()
      await isRunning
      const other = openShop(database.db)
      const startMs = other.clock.nowMs()
      await other.advanceUntil(() => other.runs.length > 0)
      expect(other.runs).toEqual([{ idempotencyKey: keys[0], attempt: 2 }])
      expect(other.clock.nowMs() - startMs).toBeGreaterThanOrEqual(60_000)
    })

    it('S57 leaves a running handler alone when another server is 25 seconds ahead', async () => {
      let started = (): void => undefined
      const isRunning = new Promise<void>((resolve) => {
        started = resolve
      })
      const slow = openShop(database.db, {
        onPaid: () => {
          started()
          return new Promise(() => undefined)
        },
      })
      await slow.orders.create(ORDER)
      await slow.send()
      await isRunning
      const clock = createManualClock({ startMs: slow.clock.nowMs() + 25_000 })
      const ahead = openShop(database.db, { clock })
      const second = (shop: Shop): Promise<void> => {
        let steps = 0
        return shop.advanceUntil(() => steps++ > 0)
      }
      for (let passed = 0; passed < 120; passed++) {
        await second(slow)
        await second(ahead)
      }
      expect(ahead.runs).toEqual([])
    })

    it('S48 answers 503 while the database is down, and decides when it is back', async () => {
      let isDown = false
      const db = tapped(database.db, {
        before: () => {
          if (isDown) throw new Error('ECONNREFUSED')
        },
      })
      const shop = openShop(db)
      await shop.orders.create(ORDER)
      isDown = true
      for (let attempt = 0; attempt < 4; attempt++) {
        expect(await shop.send()).toMatchObject({ status: 503, body: '{"ok":false}' })
      }
      isDown = false
      expect((await shop.send()).decision.kind).toBe('paid')
    })

    it('S50 tries a failing handler again, buries it, and runs it again on demand', async () => {
      let isBroken = true
      const done: string[] = []
      const failures: number[] = []
      const shop = openShop(database.db, {
        handlerRetry: { maxAttempts: 3, minDelayMs: 1111, maxDelayMs: 2222 },
        onPaid: {
          ship: (_, { idempotencyKey }) => void done.push(idempotencyKey),
          mail: (_, { attempt, idempotencyKey }) => {
            if (!isBroken) return void done.push(idempotencyKey)
            failures.push(attempt)
            throw new Error('the mail server \u0000 is down')
          },
        },
      })
      const inbox = postgresInbox(database.db)
      await shop.orders.create(ORDER)
      expect((await shop.send()).status).toBe(200)
      await shop.advanceUntil(async () => (await inbox.stats()).dead === 1, 100)
      expect(failures).toEqual([1, 2, 3])
      expect(done).toHaveLength(1)
      const [dead] = await inbox.listDead({ limit: 10 })
      expect(dead).toMatchObject({ handler: 'onPaid.mail', attempts: 3 })
      isBroken = false
      expect(await inbox.replay(dead?.id ?? '')).toBe(true)
      await shop.advanceUntil(() => done.length === 2)
      expect(done[1]).toBe(dead?.idempotencyKey)
    })

    it('S51 answers at once while the handler takes half a minute, and records its end', async () => {
      let finish = (): void => undefined
      const shop = openShop(database.db, {
        onPaid: () =>
          new Promise<void>((resolve) => {
            finish = resolve
          }),
      })
      await shop.orders.create(ORDER)
      expect((await shop.send()).status).toBe(200)
      const startMs = shop.clock.nowMs()
      await shop.advanceUntil(() => shop.clock.nowMs() >= startMs + 40_000)
      expect(await count(database.db, 'handler_tasks', "state = 'open' AND attempts = 1")).toBe(1)
      finish()
      await shop.advanceUntil(
        async () => (await count(database.db, 'handler_tasks', "state = 'done'")) === 1,
      )
    })

    it('S52 gives the handlers back that outlive the drain, and answers 503 afterwards', async () => {
      let started = (): void => undefined
      const isRunning = new Promise<void>((resolve) => {
        started = resolve
      })
      const stopped = openShop(database.db, {
        onPaid: () => {
          started()
          return new Promise(() => undefined)
        },
      })
      await stopped.orders.create(ORDER)
      await stopped.send()
      await isRunning
      await closeShop(stopped)
      expect((await stopped.send(transfer(2))).status).toBe(503)
      expect(await count(database.db, 'deliveries')).toBe(1)
      // At once, not when the lease would have ended.
      const query = { receiver: 'default', handlers: ['onPaid'] }
      const dueMs = await postgresInbox(database.db).nextDueMs(query)
      expect(dueMs).toBeLessThanOrEqual(stopped.clock.nowMs())
      const next = openShop(database.db, {
        clock: createManualClock({ startMs: stopped.clock.nowMs() }),
      })
      await next.advanceUntil(() => next.runs.length > 0)
      expect(next.runs[0]?.attempt).toBe(2)
    })

    it('S56 matches a payment that came before its order, without another webhook', async () => {
      const shop = openShop(database.db)
      const answer = await shop.send()
      expect([answer.status, answer.decision.kind]).toEqual([200, 'unmatched'])
      await shop.orders.create(ORDER)
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect((await shop.orders.findByReference('order-1'))?.status).toBe('completed')
      expect(await shop.receiver.matchReference('order-1')).toBe(0)
    })

    it('S56 matches an old payment within one look at the inbox once its order is there', async () => {
      const shop = openShop(database.db)
      const inbox = postgresInbox(database.db)
      await shop.send()
      const hourMs = 3_600_000
      const later = { receiver: 'default', nowMs: shop.clock.nowMs() + 60_000, limit: 10 }
      const [parked] = await inbox.claimDeliveries({ ...later, retryAtMs: later.nowMs + hourMs })
      expect(parked?.state).toBe('parked')
      await shop.orders.create(ORDER)
      const due = await inbox.nextDueMs({ receiver: 'default', handlers: [] })
      expect(due).toBeLessThanOrEqual(shop.clock.nowMs())
    })

    it('S52 gives back what it claims while it is closed, so that another server runs it at once', async () => {
      const inner = postgresInbox(database.db)
      let letAnswer = (): void => undefined
      const mayAnswer = new Promise<void>((resolve) => (letAnswer = resolve))
      const inbox: Inbox = {
        ...inner,
        // One that forgets, as a database in memory, runs in the drain what it can.
        isDurable: true,
        claimTasks: async (query) => {
          const claimed = await inner.claimTasks(query)
          if (claimed.length > 0) await mayAnswer
          return claimed
        },
      }
      const shop = openShop(database.db, { inbox })
      await shop.orders.create(ORDER)
      await shop.send()
      const leased = () => count(database.db, 'handler_tasks', 'lease_id IS NOT NULL')
      await expect
        .poll(async () => {
          await shop.clock.advance(0)
          return leased()
        })
        .toBe(1)
      shop.clock.setTimer(letAnswer, 1000)
      await closeShop(shop)
      await expect.poll(leased).toBe(0)
      const { clock } = shop
      const startMs = clock.nowMs()
      const other = openShop(database.db, { clock })
      await other.advanceUntil(() => other.runs.length > 0)
      expect(clock.nowMs() - startMs).toBeLessThan(10_000)
      expect(shop.runs).toEqual([])
    })

    it('S58 does nothing again for a payment that the inbox has forgotten', async () => {
      const dayMs = 86_400_000
      const shop = openShop(database.db)
      await shop.orders.create(ORDER)
      await shop.send()
      await shop.advanceUntil(() => shop.runs.length > 0)
      await closeShop(shop)
      const clock = createManualClock({ startMs: shop.clock.nowMs() + dayMs })
      const later = openShop(database.db, { clock, retentionMs: dayMs })
      await later.advanceUntil(async () => (await count(database.db, 'deliveries')) === 0)
      expect(await count(database.db, 'handler_tasks')).toBe(0)
      const answer = await later.send()
      expect([answer.status, answer.decision.kind]).toEqual([200, 'duplicate'])
      expect(await count(database.db, 'handler_tasks')).toBe(0)
      expect(later.runs).toEqual([])
    })

    it('S31 parks and raises without losing a digit of an amount', async () => {
      const shop = openShop(database.db)
      const rawAmount = 2n ** 200n + 1n
      await shop.orders.create({ ...ORDER, rawAmount, asset: `0:${'0'.repeat(64)}` })
      const payload = transferCompleted({
        rawAmount: rawAmount.toString(),
        amount: rawAmount.toString(),
        asset: `0:${'0'.repeat(64)}`,
      })
      expect((await shop.send(payload)).decision.kind).toBe('paid')
      const order = await shop.orders.findByReference('order-1')
      expect([order?.rawAmount, order?.payment?.rawAmount]).toEqual([rawAmount, rawAmount])
    })
  })
}
