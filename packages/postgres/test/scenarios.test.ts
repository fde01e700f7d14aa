import type { HandlerContext } from '@tonplug/core'
import { createFakeClock, transferCompleted, transferFailed } from '@tonplug/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { deferred } from '@tonplug/test-support/deferred'
import { count } from './rows.js'
import {
  closeShop,
  isCompletion,
  openShop,
  ORDER,
  tapped,
  transfer,
  withClock,
  type ClockedDatabase,
  type Shop,
} from './shop.js'

describeScenarios('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeScenarios('PostgreSQL', () => openPostgres(20))
})

function describeScenarios(name: string, openTest: () => Promise<TestDatabase>): void {
  describe(`Payments on ${name}`, () => {
    let database: ClockedDatabase
    beforeAll(async () => {
      database = await withClock(await openTest())
    })
    afterAll(() => database.close())
    beforeEach(() => database.clear())

    const open = (
      options: Partial<Parameters<typeof openShop>[1]> = {},
      db = database.timed,
    ): Shop => openShop(db, { clock: database.clock, ...options })

    it('decides a delivery in two round trips, and a repetition in one', async () => {
      const texts: string[] = []
      const db = tapped(database.timed, { after: (text) => void texts.push(text) })
      const shop = open({ onPaid: undefined }, db)
      await shop.orders.create(ORDER)
      // Polls, registrations and readings of the clock may run at any time.
      const ofDeliveries = () =>
        texts.filter(
          (text) => !/SKIP LOCKED|min\(retry_at\)|INTO tonplug.policies|AS now_ms/.test(text),
        ).length
      const before = ofDeliveries()
      expect((await shop.send()).decision.kind).toBe('paid')
      expect(ofDeliveries() - before).toBe(2)
      expect((await shop.send()).decision.kind).toBe('duplicate')
      expect(ofDeliveries() - before).toBe(3)
    })

    it('S38 responds 200 to fifty identical deliveries, with one transition and one run', async () => {
      const shop = open()
      await shop.orders.create(ORDER)
      const answers = await Promise.all(Array.from({ length: 50 }, () => shop.send()))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
      await shop.advanceUntil(() => shop.runs.length > 0)
      await closeShop(shop)
      expect(shop.receiver.stats()).toEqual({ paid: 1, duplicate: 49 })
      expect(shop.runs).toHaveLength(1)
      expect(await count(database.db, 'reports')).toBe(1)
      expect(await count(database.db, 'tasks', "state = 'done'")).toBe(1)
    })

    it('S40 records fifty payments of one order, completes it once and reports the others', async () => {
      const raised: string[] = []
      const shop = open({
        onExtraPayment: ({ decision }) => void raised.push(decision.txHash),
      })
      await shop.orders.create(ORDER)
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => shop.send(transfer(index))),
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(shop.receiver.stats()).toEqual({ paid: 1, extra_payment: 49 })
      const winner = answers.findIndex(({ decision }) => decision.kind === 'paid')
      const order = await shop.orders.find(ORDER)
      expect(order?.payment?.txHash).toBe(winner.toString(16).padStart(64, '0'))
      await shop.advanceUntil(() => raised.length >= 49 && shop.runs.length > 0)
      expect(new Set(raised).size).toBe(49)
      expect(shop.runs).toHaveLength(1)
      expect(await count(database.db, 'reports', "state = 'decided'")).toBe(50)
    })

    it('S41 makes one transition when the shop completes the same payment concurrently', async () => {
      const transitions: string[] = []
      const orders = postgresOrderRepository(database.timed)
      const db = tapped(database.timed, {
        async before(text) {
          if (isCompletion(text)) transitions.push(await orders.complete(ORDER, payment))
        },
      })
      const shop = open({}, db)
      await orders.create(ORDER)
      const payload = transferCompleted()
      const payment = {
        ...payload.data,
        rawAmount: BigInt(payload.data.rawAmount),
        isLate: false,
      }
      expect((await shop.send(payload)).status).toBe(200)
      expect(transitions).toEqual(['applied'])
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect((await shop.send(payload)).decision.kind).toBe('duplicate')
      await closeShop(shop)
      expect(shop.runs).toHaveLength(1)
    })

    it('S42 reports a payment of an order that the shop cancels concurrently', async () => {
      let cancel = async (): Promise<unknown> => undefined
      const db = tapped(database.timed, {
        before: async (text) => void (isCompletion(text) && (await cancel())),
      })
      const shop = open({}, db)
      await shop.orders.create(ORDER)
      cancel = () => shop.orders.cancel('order-1')
      const answer = await shop.send()
      expect([answer.status, answer.decision.kind]).toEqual([200, 'paid_after_cancel'])
      expect((await shop.orders.find(ORDER))?.status).toBe('cancelled')
    })

    it('S43 completes an expired order and marks it late', async () => {
      const shop = open()
      await shop.orders.create(ORDER)
      expect(await shop.orders.expire('order-1')).toBe(true)
      expect((await shop.send()).decision).toMatchObject({ kind: 'paid', isLate: true })
      expect((await shop.orders.find(ORDER))?.payment?.isLate).toBe(true)
      expect(await shop.orders.expire('order-1')).toBe(false)
      expect(await shop.orders.cancel('order-1')).toBe(false)
    })

    it('S28 S29 records a failure with its decision, and completes the order afterwards', async () => {
      const shop = open()
      await shop.orders.create(ORDER)
      const failed = await shop.send(transferFailed({ errorMessage: 'half \ud800 of a pair' }))
      expect([failed.status, failed.decision.kind]).toEqual([200, 'failed'])
      const order = await shop.orders.find(ORDER)
      expect(order).toMatchObject({ status: 'failed', failure: { errorCode: 36 } })
      expect((await shop.send(transfer(2))).decision.kind).toBe('paid')
    })

    it.each(['before', 'after'] as const)(
      'S45 S46 repairs a connection lost %s the commit',
      async (moment) => {
        let hasFailed = false
        const lose = (text: string): void => {
          if (!isCompletion(text) || hasFailed) return
          hasFailed = true
          throw new Error('Connection terminated unexpectedly')
        }
        const dying = open({}, tapped(database.timed, { [moment]: lose }))
        await dying.orders.create(ORDER)
        expect((await dying.send()).status).toBe(503)
        await closeShop(dying)
        // The transition and its decision were both made, or neither.
        const isMade = moment === 'after' ? 1 : 0
        expect(await count(database.db, 'orders', "status = 'completed'")).toBe(isMade)
        expect(await count(database.db, 'reports', "state = 'decided'")).toBe(isMade)
        expect(await count(database.db, 'tasks')).toBe(isMade)

        const next = open()
        const answer = await next.send()
        expect([answer.status, answer.decision.kind]).toEqual([200, isMade ? 'duplicate' : 'paid'])
        await next.advanceUntil(() => next.runs.length > 0)
        await closeShop(next)
        expect([...dying.runs, ...next.runs]).toHaveLength(1)
      },
    )

    it('S45 decides a report that was stored before its process died', async () => {
      let isGone = false
      const gone = tapped(database.timed, {
        before: (text) => {
          isGone ||= isCompletion(text)
          if (isGone) throw new Error('killed')
        },
      })
      const killed = open({}, gone)
      await killed.orders.create(ORDER)
      expect((await killed.send()).status).toBe(503)
      const next = open()
      await next.advanceUntil(() => next.runs.length > 0)
      expect(next.runs[0]?.attempt).toBe(1)
    })

    it('S47 runs a handler again within 20 seconds when its server is gone, with the same key', async () => {
      let isGone = false
      const gone = tapped(database.timed, {
        before: () => {
          if (isGone) throw new Error('killed')
        },
      })
      const started = deferred<string>()
      const onPaid = (_: unknown, { idempotencyKey }: HandlerContext) => {
        started.resolve(idempotencyKey)
        return new Promise(() => undefined)
      }
      const killed = open({ onPaid }, gone)
      await killed.orders.create(ORDER)
      await killed.send()
      const idempotencyKey = await started.promise
      isGone = true
      const other = open()
      const startMs = other.clock.nowMs()
      await other.advanceUntil(() => other.runs.length > 0)
      expect(other.runs).toEqual([{ idempotencyKey, attempt: 2 }])
      const tookMs = other.clock.nowMs() - startMs
      expect(tookMs).toBeGreaterThanOrEqual(11_000)
      expect(tookMs).toBeLessThanOrEqual(20_000)
      isGone = false
    })

    it.each([90_000, -90_000])(
      'S75 S57 runs a handler on one server when the clock of another differs by %i ms',
      async (differenceMs) => {
        const started = deferred<AbortSignal>()
        const onPaid = (_: unknown, { signal }: HandlerContext) => {
          started.resolve(signal)
          return new Promise(() => undefined)
        }
        const slow = open({ onPaid })
        await slow.orders.create(ORDER)
        await slow.send()
        const signal = await started.promise
        const clock = createFakeClock({ startMs: slow.clock.nowMs() + differenceMs })
        const other = open({ clock })
        const step = (shop: Shop): Promise<void> => {
          let steps = 0
          return shop.advanceUntil(() => steps++ > 0)
        }
        for (let second = 0; second < 120; second++) {
          await step(slow)
          await step(other)
        }
        expect([other.runs, signal.aborted]).toEqual([[], false])
      },
    )

    it('S75 S76 aborts the handler of a server that is paused before another server runs it', async () => {
      const started = deferred<AbortSignal>()
      const onPaid = (_: unknown, { signal }: HandlerContext) => {
        started.resolve(signal)
        return new Promise(() => undefined)
      }
      const clock = createFakeClock()
      const paused = open({ onPaid, clock })
      await paused.orders.create(ORDER)
      const answer = paused.send()
      await paused.advanceUntil(async () => (await count(database.db, 'tasks')) === 1, 0)
      await answer
      const signal = await started.promise
      // Its timers stand still while the database's time passes.
      const other = open()
      await other.advanceUntil(() => other.runs.length > 0)
      expect(other.runs[0]?.attempt).toBe(2)
      await paused.advanceUntil(() => signal.aborted)
      await paused.advanceUntil(
        async () => (await count(database.db, 'tasks', "state = 'done'")) === 1,
      )
    })

    it('S48 responds 503 while the database is down, and decides when it is back', async () => {
      let isDown = false
      const db = tapped(database.timed, {
        before: () => {
          if (isDown) throw new Error('ECONNREFUSED')
        },
      })
      const shop = open({}, db)
      await shop.orders.create(ORDER)
      isDown = true
      for (let attempt = 0; attempt < 4; attempt++) {
        expect(await shop.send()).toMatchObject({ status: 503, body: '{"ok":false}' })
      }
      isDown = false
      expect((await shop.send()).decision.kind).toBe('paid')
    })

    it('S50 retries a failing handler, makes it a dead letter, and replays it', async () => {
      let isBroken = true
      const done: string[] = []
      const failures: number[] = []
      const shop = open({
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
      const inbox = postgresInbox(database.timed)
      await shop.orders.create(ORDER)
      expect((await shop.send()).status).toBe(200)
      await shop.advanceUntil(async () => (await inbox.stats()).dead === 1, 100)
      expect(failures).toEqual([1, 2, 3])
      expect(done).toHaveLength(1)
      const [dead] = await inbox.tasks.listDead({ limit: 10 })
      expect(dead).toMatchObject({ handler: 'onPaid.mail', attempts: 3 })
      isBroken = false
      expect(await inbox.tasks.replay(dead?.id ?? '')).toBe(true)
      await shop.advanceUntil(() => done.length === 2)
      expect(done[1]).toBe(dead?.idempotencyKey)
    })

    it('S51 responds at once while the handler takes half a minute, and records its end', async () => {
      const { promise, resolve: finish } = deferred<void>()
      const shop = open({ onPaid: () => promise })
      await shop.orders.create(ORDER)
      expect((await shop.send()).status).toBe(200)
      const startMs = shop.clock.nowMs()
      await shop.advanceUntil(() => shop.clock.nowMs() >= startMs + 40_000)
      expect(await count(database.db, 'tasks', "state = 'open' AND attempts = 1")).toBe(1)
      finish()
      await shop.advanceUntil(
        async () => (await count(database.db, 'tasks', "state = 'done'")) === 1,
      )
    })

    it('S52 S76 aborts and releases handlers that outlive the drain, and responds 503 afterwards', async () => {
      const started = deferred<AbortSignal>()
      const onPaid = (_: unknown, { signal }: HandlerContext) => {
        started.resolve(signal)
        return new Promise(() => undefined)
      }
      let leasedAtAbort: Promise<number> | undefined
      const db = tapped(database.timed, { before: async () => void (await leasedAtAbort) })
      const stopped = open({ onPaid }, db)
      await stopped.orders.create(ORDER)
      await stopped.send()
      const signal = await started.promise
      const leased = () => count(database.db, 'tasks', 'lease_id IS NOT NULL')
      signal.addEventListener('abort', () => void (leasedAtAbort = leased()))
      await closeShop(stopped)
      expect([signal.aborted, await leasedAtAbort, await leased()]).toEqual([true, 1, 0])
      expect((await stopped.send(transfer(2))).status).toBe(503)
      expect(await count(database.db, 'reports')).toBe(1)
      // At once, not when the lease would have expired.
      const query = { name: 'default', handlers: ['onPaid'] }
      expect(await postgresInbox(database.timed).processes.nextDueInMs(query)).toBe(0)
      const next = open()
      await next.advanceUntil(() => next.runs.length > 0)
      expect(next.runs[0]?.attempt).toBe(2)
    })

    it('S56 matches a payment that arrived before its order, without another webhook', async () => {
      const shop = open()
      const answer = await shop.send()
      expect([answer.status, answer.decision.kind]).toEqual([200, 'unknown_order'])
      await shop.orders.create(ORDER)
      await shop.advanceUntil(() => shop.runs.length > 0)
      expect((await shop.orders.find(ORDER))?.status).toBe('completed')
      expect(await shop.payments.orderCreated('order-1')).toBe(0)
    })

    it('S56 makes an old report due as soon as its order is created', async () => {
      const shop = open()
      const inbox = postgresInbox(database.timed)
      await shop.send()
      // Otherwise a poll may take the report.
      await closeShop(shop)
      await database.db.query(
        `UPDATE tonplug.reports SET retry_at = tonplug.now() + interval '1 hour'`,
      )
      expect(await inbox.processes.nextDueInMs({ name: 'default', handlers: [] })).toBeGreaterThan(
        0,
      )
      await shop.orders.create(ORDER)
      expect(await inbox.processes.nextDueInMs({ name: 'default', handlers: [] })).toBe(0)
    })

    it('S58 does nothing again for a payment whose report was deleted', async () => {
      const dayMs = 86_400_000
      const shop = open({ retentionMs: dayMs })
      await shop.orders.create(ORDER)
      await shop.send()
      await shop.advanceUntil(() => shop.runs.length > 0)
      await closeShop(shop)
      await database.clock.advance(dayMs)
      const later = open({ retentionMs: dayMs })
      await later.advanceUntil(async () => (await count(database.db, 'reports')) === 0)
      expect(await count(database.db, 'tasks')).toBe(0)
      const answer = await later.send()
      expect([answer.status, answer.decision.kind]).toEqual([200, 'duplicate'])
      expect(await count(database.db, 'tasks')).toBe(0)
      expect(later.runs).toEqual([])
    })

    it('S31 keeps every digit of an amount', async () => {
      const shop = open()
      const rawAmount = 2n ** 200n + 1n
      await shop.orders.create({ ...ORDER, rawAmount, asset: `0:${'0'.repeat(64)}` })
      const payload = transferCompleted({
        rawAmount: rawAmount.toString(),
        amount: rawAmount.toString(),
        asset: `0:${'0'.repeat(64)}`,
      })
      expect((await shop.send(payload)).decision.kind).toBe('paid')
      const order = await shop.orders.find(ORDER)
      expect([order?.rawAmount, order?.payment?.rawAmount]).toEqual([rawAmount, rawAmount])
    })
  })
}
