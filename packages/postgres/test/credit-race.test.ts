import type { Order } from '@tonplug/core'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import type pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import type { WithTransaction } from '../src/join-by-transaction.js'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { openPostgres } from './databases.js'
import { newCredit, PAYMENT } from './money.js'
import { newReport, paid } from './reports.js'

function transactionsOf(pool: pg.Pool): WithTransaction {
  return async (work) => {
    const db = await pool.connect()
    try {
      await db.query('BEGIN')
      const result = await work({ orders: postgresOrderRepository(db), db })
      await db.query('COMMIT')
      return result
    } catch (error) {
      await db.query('ROLLBACK')
      throw error
    } finally {
      db.release()
    }
  }
}

it.skipIf(!hasPostgres).each([
  ['a use', undefined, 5n],
  ['a use of a part', 2n, 2n],
])(
  `S119 keeps %s that commits while the credit is being stored, on ${NEEDS_POSTGRES}`,
  async (_, usedAmount, used) => {
    const database = await openPostgres()
    onTestFinished(() => database.close())
    const { db } = database
    const holder = await db.connect()
    const claim = (client: Parameters<typeof postgresInbox>[0], reference: string) =>
      postgresInbox(client).credits.claim({
        name: 'default',
        merchant: '',
        reference,
        payments: ['credit:1'],
        usedAmount,
      })
    // Both check the schema, which waits for a transaction that did the same.
    await postgresInbox(holder).credits.find({ ids: ['absent'] })
    const inbox = postgresInbox(db)
    await inbox.credits.find({ ids: ['absent'] })
    await holder.query('BEGIN')
    expect(await claim(holder, 'order-1')).toBe(true)
    const stored = inbox.credits.store([newCredit({ id: '1', txHash: 'tx-1' })])
    const waiting = async () => {
      const { rows } = await db.query(
        `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows
    }
    await expect.poll(waiting).toHaveLength(1)
    await holder.query('COMMIT')
    holder.release()
    await stored
    expect(await claim(db, 'order-2')).toBe(false)
    const [credit] = await inbox.credits.find({ ids: ['1'] })
    expect(credit?.uses).toMatchObject([{ reference: 'order-1', rawAmount: used }])
    const refund = { name: 'default', merchant: '', kind: 'refund', reference: 'refund-1' } as const
    const hasSurplus = await inbox.credits.claim({ ...refund, payments: ['credit:1'] })
    expect(hasSurplus).toBe(used < 5n)
  },
)

it.skipIf(!hasPostgres)(
  `S119 grants equal claims of one order that begin at once, on ${NEEDS_POSTGRES}`,
  async () => {
    const database = await openPostgres()
    onTestFinished(() => database.close())
    const { credits } = postgresInbox(database.db)
    const ids = Array.from({ length: 50 }, (_, number) => `${number}`)
    await credits.store(ids.map((id) => newCredit({ id, txHash: id })))
    for (const id of ids) {
      const claim = { name: 'default', merchant: '', reference: id, payments: [`credit:${id}`] }
      const claims = Array.from({ length: 5 }, () => credits.claim({ ...claim, payment: 'tx' }))
      expect(await Promise.all(claims)).toEqual([true, true, true, true, true])
    }
  },
)

it.skipIf(!hasPostgres).each(['by one statement', 'in a transaction'])(
  `S119 completes one order by equal calls that begin at once, with the orders joined %s, on ${NEEDS_POSTGRES}`,
  async (how) => {
    const database = await openPostgres()
    onTestFinished(() => database.close())
    const { db } = database
    const orders = postgresOrderRepository(db)
    const withTransaction = how === 'in a transaction' ? transactionsOf(db) : undefined
    const inbox = postgresInbox(db, { withTransaction })
    const joined = inbox.joinOrders?.<Order>(orders)
    if (joined === undefined) throw new TypeError('the orders are not joined')
    for (let number = 0; number < 50; number++) {
      const [reference, txHash, id] = [`order-${number}`, `tx-${number}`, `credit-${number}`]
      await orders.create({ reference, rawAmount: 5n, asset: 'TON', data: null })
      await inbox.credits.store([newCredit({ id, txHash })])
      const payment = { ...PAYMENT, txHash }
      const key = { reference, merchant: '' }
      await orders.complete(key, payment)
      const report = await inbox.reports.store(newReport({ reference, txHash, source: 'operator' }))
      const record = { decision: paid(report) }
      const completions = Array.from({ length: 5 }, () =>
        joined.completeAndDecide(report.id, {
          key,
          payment,
          payments: [`credit:${id}`],
          record,
        }),
      )
      const made = await Promise.all(completions)
      expect(made.map(({ transition }) => transition)).toEqual(made.map(() => 'already-applied'))
    }
  },
)

it.skipIf(!hasPostgres)(
  `S121 keeps a use of each part of a credit when equal refunds begin at once, on ${NEEDS_POSTGRES}`,
  async () => {
    const database = await openPostgres()
    onTestFinished(() => database.close())
    const { db } = database
    const key = { name: 'default', merchant: '', payments: ['credit:1'] }
    const refund = { ...key, kind: 'refund', reference: 'refund-1' } as const
    const inbox = postgresInbox(db)
    await inbox.credits.store([newCredit({ id: '1', txHash: 'tx-1' })])
    expect(await inbox.credits.claim({ ...key, reference: 'order-1', usedAmount: 2n })).toBe(true)
    const holder = await db.connect()
    await postgresInbox(holder).credits.find({ ids: ['absent'] })
    await holder.query('BEGIN')
    // The order has not ended yet when this server looks.
    expect(await postgresInbox(holder).credits.claim(refund)).toBe(true)
    const taken = inbox.credits.claim({ ...refund, takesFrom: [{ reference: 'order-1' }] })
    const waiting = async () => {
      const { rows } = await db.query(
        `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows
    }
    await expect.poll(waiting).toHaveLength(1)
    await holder.query('COMMIT')
    holder.release()
    expect(await taken).toBe(true)
    const [credit] = await inbox.credits.find({ ids: ['1'] })
    const held = credit?.uses.map(({ kind, rawAmount }) => `${kind} ${rawAmount}`)
    expect(held?.toSorted()).toEqual(['order 2', 'refund 3'])
  },
)
