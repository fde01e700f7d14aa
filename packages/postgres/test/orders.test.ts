import { createInvoice } from '@tonplug/core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { hasPostgres } from '@tonplug/test-support/postgres'
import { openPGlite, openPostgres, type TestDatabase } from './databases.js'
import { PAYMENT } from './money.js'
import { newReport, POLICY, subscribe } from './reports.js'

const ORDER = { reference: 'order-1', rawAmount: 1n, asset: 'TON', data: null }

describe(`orders on ${hasPostgres ? 'PostgreSQL' : 'PGlite'}`, () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await (hasPostgres ? openPostgres() : openPGlite())
  })
  afterAll(() => database.close())
  beforeEach(() => database.clear())

  it('S67 separates the orders of two names', async () => {
    const retail = postgresOrderRepository(database.db, { name: 'retail' })
    const wholesale = postgresOrderRepository(database.db, { name: 'wholesale' })
    expect([retail.name, postgresOrderRepository(database.db).name]).toEqual(['retail', 'default'])
    const bodyBase64Hash = 'hash'
    expect(await retail.create({ ...ORDER, bodyBase64Hash })).toBe(true)
    expect(await wholesale.find(ORDER)).toBeNull()
    expect(await wholesale.complete(ORDER, PAYMENT)).toBe('not-found')
    const failure = { txHash: 'ab', traceId: '', status: 'failed', date: '' }
    expect(await wholesale.fail(ORDER, failure)).toBe('not-found')
    expect([await wholesale.cancel('order-1'), await wholesale.expire('order-1')]).toEqual([
      false,
      false,
    ])
    expect(await wholesale.findByReferences(['order-1'])).toEqual([])
    expect(await wholesale.findByBodyHashes(['hash'])).toEqual([])
    expect(await collect(wholesale.listOpen({ limit: 10 }))).toEqual([])
    expect(await wholesale.create(ORDER)).toBe(true)
    expect(await retail.complete(ORDER, PAYMENT)).toBe('applied')
    expect((await wholesale.find(ORDER))?.status).toBe('pending')
  })

  it('S66 separates the orders of two merchants', async () => {
    const orders = postgresOrderRepository(database.db)
    const key = { reference: 'order-1', merchant: 'a' }
    expect(await orders.create({ ...ORDER, ...key })).toBe(true)
    expect(await orders.find({ reference: 'order-1' })).toBeNull()
    expect(await orders.create({ ...ORDER, merchant: 'b' })).toBe(true)
    expect(await orders.create({ ...ORDER, merchant: 'b' })).toBe(false)
    expect(await orders.cancel('order-1')).toBe(false)
    expect(await orders.cancel(key)).toBe(true)
    expect(await orders.expire({ ...key, merchant: 'b' })).toBe(true)
    const found = await orders.findByReferences(['order-1', 'order-2'])
    expect(found.map(({ merchant, status }) => [merchant, status])).toEqual([
      ['a', 'cancelled'],
      ['b', 'expired'],
    ])
  })

  it('stores the order of an invoice, from which the invoice is created again', async () => {
    const orders = postgresOrderRepository<{ item: string }>(database.db)
    const wallet = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'
    const invoice = await createInvoice({ wallet, asset: 'TON', amount: '10.5' })
    expect(await orders.create({ ...invoice.order, data: { item: 'cap' } })).toBe(true)
    const stored = await orders.find(invoice.order)
    expect(stored).toMatchObject({ ...invoice.order, data: { item: 'cap' } })
    const { reference, rawAmount, asset, recipient } = stored!
    const again = await createInvoice({ wallet: recipient!, reference, rawAmount, asset })
    expect(again.link).toBe(invoice.link)
    const paid = { ...invoice.order, status: 'completed' as 'pending', data: { item: 'cap' } }
    await expect(orders.create(paid)).rejects.toThrow(/order.status: must be 'pending'/)
  })

  it('S74 stores the failure of an expired order, which stays expired', async () => {
    const orders = postgresOrderRepository(database.db)
    await orders.create(ORDER)
    await orders.expire('order-1')
    const failure = { txHash: 'ab', traceId: '', status: 'error', errorCode: 36, date: '' }
    expect(await orders.fail(ORDER, failure)).toBe('applied')
    expect(await orders.fail(ORDER, failure)).toBe('already-applied')
    expect(await orders.find(ORDER)).toMatchObject({ status: 'expired', failure })
    expect(await orders.fail(ORDER, { ...failure, txHash: 'cd' })).toBe('applied')
    expect(await orders.complete(ORDER, PAYMENT)).toBe('applied')
    expect(await orders.fail(ORDER, failure)).toBe('conflict')
  })

  it('S56 makes reports due that arrived before their order', async () => {
    const inbox = postgresInbox(database.db)
    await subscribe(inbox, [])
    const orders = postgresOrderRepository(database.db)
    for (const merchant of ['', 'a']) {
      const { id, reference, txHash } = await inbox.reports.store(newReport({ merchant }))
      const decision = { kind: 'unknown_order', reference, txHash } as const
      await inbox.reports.decide(id, { decision, retryInMs: 3_600_000 })
    }
    const claim = { name: 'default', policy: POLICY, retryInMs: 1000, limit: 10 }
    expect(await inbox.reports.claim(claim)).toEqual([])
    await orders.create({ ...ORDER, merchant: 'a' })
    expect((await inbox.reports.claim(claim)).map(({ merchant }) => merchant)).toEqual(['a'])
  })

  it('lists open orders of all merchants, oldest first, up to the limit', async () => {
    const orders = postgresOrderRepository(database.db)
    const startMs = Date.UTC(2026, 0, 5)
    for (let index = 0; index < 450; index++) {
      const createdAt = new Date(startMs + Math.floor(index / 3))
      await orders.create({ ...ORDER, reference: `${index}`, merchant: `${index % 3}`, createdAt })
    }
    const list = async (query: Parameters<typeof orders.listOpen>[0]) =>
      (await collect(orders.listOpen(query))).map(({ reference }) => Number(reference))
    const all = Array.from({ length: 450 }, (_, index) => index)
    expect(await list({ limit: 1000 })).toEqual(all)
    expect(await list({ limit: 401 })).toEqual(all.slice(0, 401))
    expect(await list({ limit: 200 })).toEqual(all.slice(0, 200))
    const createdAfter = new Date(startMs + 149)
    expect(await list({ createdAfter, limit: 10 })).toEqual(all.slice(447))
  })

  it('finds no order for text that no row can have', async () => {
    const orders = postgresOrderRepository(database.db)
    await orders.create({ ...ORDER, reference: 'a\uFFFD' })
    for (const reference of ['a\0', 'a\ud800']) {
      expect(await orders.find({ reference })).toBeNull()
      expect(await orders.findByReferences([reference])).toEqual([])
      expect(await orders.complete({ reference }, PAYMENT)).toBe('not-found')
      expect(await orders.cancel(reference)).toBe(false)
      const joined = postgresInbox(database.db).joinOrders?.(orders)
      expect(await joined?.storeAndFind?.(newReport({ reference }))).toMatchObject({ order: null })
    }
  })
})

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}
