import { memoryOrderRepository, type Order, type OrderRepository } from '@tonplug/core'
import type { OrderList, TransferPage } from '@tonplug/desk'
import { postgresOrderRepository } from '@tonplug/postgres'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDesk, openShop, order, PAYER, report } from './shop.js'

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const hour = (hours: number) => new Date(Date.UTC(2026, 0, 5, hours))

const ORDERS: readonly Order[] = [
  order({ reference: 'a-1', createdAt: hour(1) }),
  order({ reference: 'a-2', createdAt: hour(2), rawAmount: 6_500_000_000n }),
  order({ reference: 'b-1', createdAt: hour(3), asset: USDT, rawAmount: 6_500_000n }),
]

type Store = () => Promise<OrderRepository>

const inMemory: Store = async () => memoryOrderRepository(ORDERS)

const onPostgres: Store = async () => {
  const { url, drop } = await createPostgresDatabase()
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  onTestFinished(async () => {
    await pool.end()
    await drop()
  })
  const orders = postgresOrderRepository(pool)
  for (const { reference, rawAmount, asset, createdAt } of ORDERS) {
    await orders.create({
      reference,
      rawAmount,
      asset,
      createdAt: createdAt ?? undefined,
      data: null,
    })
  }
  return orders
}

describe('orders in memory', () => {
  describeOrders(inMemory)
})
describe.skipIf(!hasPostgres)(`orders on ${NEEDS_POSTGRES}`, () => {
  describeOrders(onPostgres)
})

function describeOrders(open: Store): void {
  it.each([
    ['all', '', ['b-1', 'a-2', 'a-1']],
    ['one status', 'status=pending', ['b-1', 'a-2', 'a-1']],
    ['another status', 'status=completed', []],
    ['a day', `from=${hour(2).toISOString()}&before=${hour(3).toISOString()}`, ['a-2']],
    ['an amount', 'amount=6,5', ['b-1', 'a-2']],
    ['an amount with its coin', 'amount=6.50 ton', ['a-2']],
    ['a coin', 'coin=USDT', ['b-1']],
    ['the beginning of a reference', 'search=a-', ['a-1', 'a-2']],
  ])('are listed by %s', async (_what, query, references) => {
    const { payments } = openShop({ orders: await open() })
    const { json } = openDesk(payments)
    const { orders } = await json<OrderList>(`api/orders?${query}`)
    expect(orders.map(({ reference }) => reference)).toEqual(references)
  })

  it('have a state, a price in coins and a time', async () => {
    const { payments } = openShop({ orders: await open() })
    const { json } = openDesk(payments)
    const { orders, coins } = await json<OrderList>('api/orders?search=b-1')
    expect(orders).toEqual([
      {
        reference: 'b-1',
        merchant: '',
        state: { name: 'waiting', tone: 'wait' },
        price: '6.5 USDT',
        createdAtMs: hour(3).getTime(),
      },
    ])
    expect(coins).toEqual(['TON', 'USDT'])
  })

  it('have pages', async () => {
    const { payments } = openShop({ orders: await open() })
    const { json } = openDesk(payments)
    const { next } = await json<OrderList>('api/orders')
    expect(next).toBeUndefined()
    const page = await payments.internals.orders.list?.({ limit: 2 })
    const after = encodeURIComponent(page?.next ?? '')
    const { orders } = await json<OrderList>(`api/orders?after=${after}`)
    expect(orders.map(({ reference }) => reference)).toEqual(['a-1'])
  })
}

describe('the list of orders', () => {
  it('says that a repository has none, and finds a reference nevertheless', async () => {
    const orders: OrderRepository = memoryOrderRepository(ORDERS)
    delete orders.list
    delete orders.search
    delete orders.findByReferences
    const { payments } = openShop({ orders })
    const { json } = openDesk(payments)
    expect(await json<OrderList>('api/orders')).toMatchObject({ canList: false, orders: [] })
    const found = await json<OrderList>('api/orders?search=a-1')
    expect(found.orders).toMatchObject([{ reference: 'a-1' }])
  })

  it('reads at most 1000 orders for a filter, and continues behind them', async () => {
    const many = Array.from({ length: 1200 }, (_, index) => order({ reference: `o-${index}` }))
    const { payments } = openShop({ orders: memoryOrderRepository(many) })
    const { json } = openDesk(payments)
    const first = await json<OrderList>('api/orders?amount=7')
    expect(first).toMatchObject({ orders: [], next: expect.any(String) })
    const after = encodeURIComponent(first.next ?? '')
    const second = await json<OrderList>(`api/orders?amount=7&after=${after}`)
    expect(second).toMatchObject({ orders: [] })
    expect(second.next).toBeUndefined()
  })

  it.each(['status=open', 'from=yesterday', 'amount=much'])('rejects %s', async (query) => {
    const { get } = openDesk(openShop().payments)
    expect((await get(`api/orders?${query}`)).status).toBe(400)
  })
})

describe('the search of payments', () => {
  it.each([
    ['a comma', () => '10,5'],
    ['a ticker', () => '10.50 TON'],
    ['a ticker in lower case', () => '10.5 ton'],
    ['a link of tonviewer', (hash: string) => `https://tonviewer.com/transaction/${hash}`],
    [
      'a link of tonscan',
      (hash: string) =>
        `https://tonscan.org/tx/${encodeURIComponent(Buffer.from(hash, 'hex').toString('base64'))}`,
    ],
    ['a link to the payer', () => `https://tonviewer.com/${PAYER}`],
  ])('understands %s', async (_what, searchOf) => {
    const { payments } = openShop()
    const { txHash } = await report(payments)
    await report(payments, {
      reference: 'x',
      senderAddr: `0:${'0c'.repeat(32)}`,
      asset: USDT,
      rawAmount: '10600000',
      amount: '10600000',
    })
    const { json } = openDesk(payments)
    const search = encodeURIComponent(searchOf(txHash))
    const { transfers } = await json<TransferPage>(`api/transfers?search=${search}`)
    expect(transfers.map(({ reference }) => reference)).toEqual(['order-1'])
  })

  it('does not confuse coins whose amounts have the same digits', async () => {
    const { payments } = openShop()
    await report(payments)
    await report(payments, {
      reference: 'x',
      asset: USDT,
      rawAmount: '10500000',
      amount: '10500000',
    })
    const { json } = openDesk(payments)
    const find = async (search: string) =>
      (await json<TransferPage>(`api/transfers?search=${search}`)).transfers.map(
        ({ reference }) => reference,
      )
    expect(await find('10.5')).toEqual(['x', 'order-1'])
    expect(await find('10.5 USDT')).toEqual(['x'])
    expect(await find('10.5 TON')).toEqual(['order-1'])
  })
})
