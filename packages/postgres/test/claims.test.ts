import type { JoinedOrders, Order, Report } from '@tonplug/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { PAYMENT } from './money.js'
import { newReport, paid, subscribe } from './reports.js'
import { count } from './rows.js'

describeClaims('PGlite', openPGlite)
describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeClaims('PostgreSQL', () => openPostgres(20))
})

const ORDER = { rawAmount: 1n, asset: 'TON', data: null }

function describeClaims(title: string, open: () => Promise<TestDatabase>): void {
  describe(`claims of payments on ${title}`, () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await open()
    })
    afterAll(() => database.close())
    beforeEach(() => database.clear())

    const claim = (
      reference: string,
      payments: string[],
      { name = 'default', merchant = '' } = {},
    ) => postgresInbox(database.db).credits.claim({ name, merchant, reference, payments })

    it('S82 claims a payment for one order of a merchant', async () => {
      expect(await claim('order-1', ['tx:1'])).toBe(true)
      expect(await claim('order-1', ['tx:1'])).toBe(true)
      expect(await claim('order-2', ['tx:1'])).toBe(false)
      expect(await claim('order-2', ['tx:1'], { merchant: 'other' })).toBe(true)
      expect(await claim('order-2', ['tx:1'], { name: 'other' })).toBe(true)
    })

    it('S82 claims all payments or none', async () => {
      expect(await claim('order-1', ['tx:2'])).toBe(true)
      expect(await claim('order-2', ['tx:1', 'tx:2', 'tx:3'])).toBe(false)
      expect(await claim('order-3', ['tx:1', 'tx:3', 'tx:3'])).toBe(true)
      expect(await count(database.db, 'payments')).toBe(3)
    })

    it('S83 separates name, merchant and payment', async () => {
      expect(await claim('order-1', ['b'], { merchant: 'a' })).toBe(true)
      expect(await claim('order-2', ['a","b'], { merchant: '' })).toBe(true)
      expect(await claim('order-3', ['x'.repeat(20_000)])).toBe(true)
    })

    it('S82 gives concurrently claimed payments to one order, without a deadlock', async () => {
      const payments = Array.from({ length: 20 }, (_, index) => `tx:${index}`)
      for (let round = 0; round < 5; round++) {
        const results = await Promise.all(
          Array.from({ length: 16 }, (_, index) =>
            claim(`order-${index}`, index % 2 === 0 ? payments : payments.toReversed(), {
              merchant: `${round}`,
            }),
          ),
        )
        expect(results.filter(Boolean)).toHaveLength(1)
      }
      const { rows } = await database.db.query(
        'SELECT count(DISTINCT reference)::text AS orders FROM tonplug.payments GROUP BY merchant',
      )
      expect(rows).toEqual(Array.from({ length: 5 }, () => ({ orders: '1' })))
    })

    it('S82 completes one of many orders that one payment is reported for concurrently', async () => {
      const inbox = postgresInbox(database.db)
      await subscribe(inbox, ['onPaid'])
      const orders = postgresOrderRepository(database.db)
      const joined = join(inbox, orders)
      const references = Array.from({ length: 16 }, (_, index) => `order-${index}`)
      const made = await Promise.all(
        references.map(async (reference) => {
          await orders.create({ ...ORDER, reference })
          const report = await inbox.reports.store(newReport({ reference }))
          return complete(joined, report, ['tx:ab', `tx:${reference}`])
        }),
      )
      const transitions = made.map(({ transition }) => transition)
      expect(transitions.filter((transition) => transition === 'applied')).toHaveLength(1)
      expect(transitions.filter((transition) => transition === 'reused')).toHaveLength(15)
      expect(await count(database.db, 'orders', "status = 'completed'")).toBe(1)
      expect(await count(database.db, 'reports', "state = 'decided'")).toBe(1)
      expect(await count(database.db, 'payments')).toBe(2)
      expect(await count(database.db, 'tasks')).toBe(1)
    })

    it('S82 changes nothing for a payment that has paid another order', async () => {
      const inbox = postgresInbox(database.db)
      await subscribe(inbox, ['onPaid'])
      const orders = postgresOrderRepository(database.db)
      await orders.create({ ...ORDER, reference: 'order-2' })
      await claim('order-1', ['tx:ab'])
      const report = await inbox.reports.store(newReport({ reference: 'order-2' }))
      const made = await complete(join(inbox, orders), report, ['tx:ab', 'tx:cd'])
      expect(made).toEqual({ transition: 'reused' })
      expect((await orders.find({ reference: 'order-2' }))?.status).toBe('pending')
      expect((await inbox.reports.find(report.id))?.state).toBe('undecided')
      expect(await count(database.db, 'payments')).toBe(1)
      expect(await count(database.db, 'tasks')).toBe(0)
    })

    it('claims nothing for an order that cannot be completed', async () => {
      const inbox = postgresInbox(database.db)
      const orders = postgresOrderRepository(database.db)
      await orders.create({ ...ORDER, reference: 'order-1' })
      await orders.cancel('order-1')
      const report = await inbox.reports.store(newReport())
      const made = await complete(join(inbox, orders), report, ['tx:ab'])
      expect(made).toEqual({ transition: 'conflict' })
      const unknown = await inbox.reports.store(newReport({ reference: 'unknown' }))
      expect(await complete(join(inbox, orders), unknown, ['tx:ab'])).toEqual({
        transition: 'not-found',
      })
      expect(await count(database.db, 'payments')).toBe(0)
    })

    it('claims the payment of an order that was completed without the inbox', async () => {
      const inbox = postgresInbox(database.db)
      const orders = postgresOrderRepository(database.db)
      await orders.create({ ...ORDER, reference: 'order-1' })
      await orders.complete({ reference: 'order-1' }, PAYMENT)
      const report = await inbox.reports.store(newReport())
      const made = await complete(join(inbox, orders), report, ['tx:ab'])
      expect(made).toEqual({ transition: 'already-applied' })
      expect(await claim('order-2', ['tx:ab'])).toBe(false)
    })
  })
}

function join(
  inbox: ReturnType<typeof postgresInbox>,
  orders: ReturnType<typeof postgresOrderRepository>,
): JoinedOrders {
  const joined = inbox.joinOrders?.<Order>(orders)
  if (joined === undefined) throw new Error('the orders are in another database')
  return joined
}

function complete(joined: JoinedOrders, report: Report, payments: string[]) {
  const key = { merchant: report.merchant, reference: report.reference }
  const record = { decision: paid(report), event: 'onPaid' } as const
  return joined.completeAndDecide(report.id, { key, payment: PAYMENT, payments, record })
}
