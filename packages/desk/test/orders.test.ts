import {
  friendlyAddress,
  memoryOrderRepository,
  type Inbox,
  type Order,
  type OrderRepository,
} from '@tonplug/core'
import type { OrderList, TransferPage } from '@tonplug/desk'
import { postgresInbox, postgresOrderRepository, type Queryable } from '@tonplug/postgres'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPGlite } from './pglite.js'
import { openDesk, openShop, order, PAYER, report } from './shop.js'

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const hour = (hours: number) => new Date(Date.UTC(2026, 0, 5, hours))

const ORDERS: readonly Order[] = [
  order({ reference: 'a-1', createdAt: hour(1) }),
  order({ reference: 'a-2', createdAt: hour(2), rawAmount: 6_500_000_000n }),
  order({ reference: 'b-1', createdAt: hour(3), asset: USDT, rawAmount: 6_500_000n }),
]

/** A database of the tests of one group. */
interface Store {
  db: Queryable
  close: () => Promise<void>
}

const onPGlite = async (): Promise<Store> => {
  const db = await createPGlite()
  return { db, close: () => db.close() }
}

const onPostgres = async (): Promise<Store> => {
  const { url, drop } = await createPostgresDatabase()
  const db = new pg.Pool({ connectionString: url, max: 4 })
  return {
    db,
    close: async () => {
      await db.end()
      await drop()
    },
  }
}

/** Opens a database for the tests of a group, and closes it behind them. */
function openStore(open: () => Promise<Store>): () => Queryable {
  let store: Store
  beforeAll(async () => void (store = await open()))
  afterAll(() => store.close())
  return () => store.db
}

interface Customer {
  email: string
}

const MAILS: Record<string, string> = { 'a-2': 'Ann@Shop.example', 'b-1': 'bob@shop.example' }
const mailOf = ({ reference }: Order): string => MAILS[reference] ?? 'eve@shop.example'

function inMemory(): OrderRepository {
  const orders = ORDERS.map((one): Order & Customer => ({ ...one, email: mailOf(one) }))
  return memoryOrderRepository(orders, { search: ['email'] })
}

async function fill(db: Queryable): Promise<OrderRepository> {
  const orders = postgresOrderRepository<Customer>(db, { search: ['email'] })
  const missing = await orders.checkAccess().then(
    () => '',
    (error: Error) => error.message,
  )
  for (const sql of missing.match(/CREATE INDEX.*;/g) ?? []) await db.query(sql)
  await orders.checkAccess()
  for (const one of ORDERS) {
    const { reference, rawAmount, asset, createdAt } = one
    const data = { email: mailOf(one) }
    await orders.create({ reference, rawAmount, asset, createdAt: createdAt ?? undefined, data })
  }
  return orders
}

describe('orders in memory', () => {
  describeOrders(inMemory)
})
describe('orders on PGlite', () => {
  describeStored(onPGlite)
})
describe.skipIf(!hasPostgres)(`orders on ${NEEDS_POSTGRES}`, () => {
  describeStored(onPostgres)
})

function describeStored(open: () => Promise<Store>): void {
  const database = openStore(open)
  let orders: OrderRepository
  beforeAll(async () => void (orders = await fill(database())))
  describeOrders(() => orders)
}

function describeOrders(open: () => OrderRepository): void {
  it.each([
    ['all', '', ['b-1', 'a-2', 'a-1']],
    ['one status', 'status=pending', ['b-1', 'a-2', 'a-1']],
    ['another status', 'status=completed', []],
    ['a day', `from=${hour(2).toISOString()}&before=${hour(3).toISOString()}`, ['a-2']],
    ['an amount', 'amount=6,5', ['b-1', 'a-2']],
    ['an amount with its coin', 'amount=6.50 ton', ['a-2']],
    ['a coin', 'coin=USDT', ['b-1']],
    ['the beginning of a reference', 'search=a-', ['a-1', 'a-2']],
    ['an e-mail address, without regard to case', 'search=ann@SHOP.example', ['a-2']],
    ['the beginning of an e-mail address', 'search=BOB@', ['b-1']],
    ['an unknown e-mail address', 'search=shop.example', []],
  ])('are listed by %s', async (_what, query, references) => {
    const { payments } = openShop({ orders: open() })
    const { json } = openDesk(payments)
    const { orders } = await json<OrderList>(`api/orders?${query}`)
    expect(orders.map(({ reference }) => reference)).toEqual(references)
  })

  it('have a state, a price in coins and a time', async () => {
    const { payments } = openShop({ orders: open() })
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

  it('are listed next to the payments of a search', async () => {
    const { payments } = openShop({ orders: open() })
    const { json } = openDesk(payments)
    const found = await json<TransferPage>('api/transfers?search=ann@shop.example')
    expect(found).toMatchObject({ transfers: [], orders: [{ reference: 'a-2' }] })
    const other = await json<TransferPage>('api/transfers?search=ann@shop.example&group=open')
    expect(other.orders).toBeUndefined()
  })

  it('are paginated', async () => {
    const { payments } = openShop({ orders: open() })
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

  it('does not hide the payments of a search when the repository fails', async () => {
    const orders: OrderRepository = memoryOrderRepository(ORDERS)
    const { payments } = openShop({ orders })
    const fail = () => Promise.reject(new Error('invalid input syntax for type uuid'))
    const { json } = openDesk(payments)
    await report(payments, { reference: 'a-1' })
    orders.search = fail
    const found = await json<TransferPage>('api/transfers?search=a-1')
    expect(found).toMatchObject({ transfers: [{ reference: 'a-1' }], haveOrdersFailed: true })
    expect(found.orders).toBeUndefined()
    delete orders.search
    orders.findByReferences = fail
    const second = await json<TransferPage>('api/transfers?search=UQ')
    expect(second).toMatchObject({ transfers: [], haveOrdersFailed: true })
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

describe('the search of payments in memory', () => {
  describeSearch(() => undefined)
})
describe('the search of payments on PGlite', () => {
  describeStoredSearch(onPGlite)
})
describe.skipIf(!hasPostgres)(`the search of payments on ${NEEDS_POSTGRES}`, () => {
  describeStoredSearch(onPostgres)
})

function describeStoredSearch(open: () => Promise<Store>): void {
  const database = openStore(open)
  describeSearch(() => postgresInbox(database()))
}

const FRIENDLY = friendlyAddress(PAYER, { isBounceable: false, isTestOnly: false })
const base64 = (hash: string) => Buffer.from(hash, 'hex').toString('base64')
const shortened = (start: number, end: number) =>
  `${FRIENDLY.slice(0, start)}…${FRIENDLY.slice(-end)}`

let shops = 0

function describeSearch(inboxOf: () => Inbox | undefined): void {
  /** Opens a shop whose reports no other test sees. */
  const open = () => openShop({ inbox: inboxOf(), name: `shop-${++shops}` })
  it.each([
    ['a comma', () => '10,5'],
    ['a ticker', () => '10.50 TON'],
    ['a ticker in lower case', () => '10.5 ton'],
    ['a link of tonviewer', (hash: string) => `https://tonviewer.com/transaction/${hash}`],
    [
      'a link of tonscan',
      (hash: string) => `https://tonscan.org/tx/${encodeURIComponent(base64(hash))}`,
    ],
    ['a link to the payer', () => `https://tonviewer.com/${PAYER}`],
    [
      'a link with the hash in a parameter',
      (hash: string) =>
        `https://explorer.example/transaction?account=${FRIENDLY}&lt=7&hash=${base64(hash)}`,
    ],
    ['six characters of a hash in hex', () => 'B7C400'],
    ['an odd number of characters of a hash', () => '0xb7c4000'],
    ['six characters of a hash in base64', (hash: string) => base64(hash).slice(0, 6)],
    ['more characters of a hash in base64url', (hash: string) => base64(hash).slice(0, 15)],
    ['an address as wallets show it', () => shortened(4, 4)],
    ['a longer part of an address', () => shortened(8, 6)],
    ['an address with three points', () => shortened(6, 4).replace('…', '...')],
    ['a comment in another case', () => 'for ANN, straße 7'],
  ])('understands %s', async (_what, searchOf) => {
    const { payments } = open()
    const txHash = 'b7c4'.padEnd(64, '0')
    await report(payments, { txHash, commentToRecipient: 'For Ann, Straße 7' })
    await report(payments, {
      reference: 'x',
      senderAddr: `0:0b${'0c'.repeat(30)}0b`,
      txHash: 'b7c5'.padEnd(64, '1'),
      asset: USDT,
      rawAmount: '10600000',
      amount: '10600000',
    })
    const { json } = openDesk(payments)
    const search = encodeURIComponent(searchOf(txHash))
    const { transfers } = await json<TransferPage>(`api/transfers?search=${search}`)
    expect(transfers.map(({ reference }) => reference)).toEqual(['order-1'])
  })

  it('finds no address with another end', async () => {
    const { payments } = open()
    await report(payments)
    const { json } = openDesk(payments)
    const search = encodeURIComponent(`${FRIENDLY.slice(0, 4)}…AAAA`)
    const { transfers } = await json<TransferPage>(`api/transfers?search=${search}`)
    expect(transfers).toEqual([])
  })

  it('does not confuse coins whose amounts have the same digits', async () => {
    const { payments } = open()
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
}
