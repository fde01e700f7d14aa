import type { NewCredit, Offer } from '@tonplug/core'
import type { Balance } from '@tonplug/core/operator'
import type { DeskBooks, Overview } from '@tonplug/desk'
import { postgresInbox } from '@tonplug/postgres'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { createFakeClock } from '@tonplug/testing'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { booksOf } from '../src/words/books.js'
import { createCoins } from '../src/words/coins.js'
import { openDesk, openShop, order, report, WALLET, type Shop } from './shop.js'

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const DAY_MS = 86_400_000

describe('the overview', () => {
  it('says that nothing needs an operator', async () => {
    const { counts, work, isComplete, problems } = await readOverview(openShop())
    expect({ counts, work, isComplete, problems }).toEqual({
      counts: [],
      work: [],
      isComplete: true,
      problems: [],
    })
  })

  it('counts the payments that need an operator, and shows the newest ones', async () => {
    const shop = openShop()
    const { payments, orders } = shop
    shop.stock.isOut = true
    await report(payments)
    await shop.clock.advance(1000)
    await expect.poll(async () => (await readOverview(shop)).counts).toHaveLength(1)
    orders.add(order({ reference: 'order-2' }))
    await report(payments, { reference: 'order-2', rawAmount: '7', amount: '0.000000007' })
    await report(payments, { reference: 'nobody' })
    await report(payments, { reference: '' })
    const { counts, work } = await readOverview(shop)
    expect(counts).toEqual([
      { name: 'unknown order', tone: 'wait', count: 2 },
      { name: 'partly paid', tone: 'bad', count: 1 },
      { name: 'task failed', tone: 'bad', count: 1 },
    ])
    expect(work.map(({ reference }) => reference)).toEqual(['', 'nobody', 'order-2', 'order-1'])
  })

  it('forgets a payment that an operator has assigned', async () => {
    const shop = openShop()
    const { txHash } = await report(shop.payments, { reference: '' })
    expect((await readOverview(shop)).counts).toHaveLength(1)
    const { post } = openDesk(shop.payments, { actions: true })
    await post('assign', { transactionHash: txHash, reference: 'order-1' })
    expect((await readOverview(shop)).counts).toEqual([])
  })

  it('shows the time since the last successful look, and the age of the newest block', async () => {
    const { payments } = openShop()
    const watcher = {
      checkNow: async () => undefined,
      health: async () => ({
        status: 'up' as const,
        decisions: {},
        lastCompleteAgeMs: 3_600_000,
        cursorLagMs: 61_000,
      }),
    }
    const { chain, problems } = await readOverview({ payments }, { watcher })
    expect(chain).toEqual({ lastLook: '1 hour', newestBlock: '1 minute' })
    expect(problems).toEqual(['The chain was read 1 hour ago for the last time.'])
  })

  it('says that Payments does not work', async () => {
    const { payments } = openShop()
    await payments.close()
    const { problems } = await readOverview({ payments })
    expect(problems).toEqual(['Payments are not processed.'])
  })

  it('sums again after a minute', async () => {
    const { payments, inbox, clock } = openShop()
    const { json } = openDesk(payments)
    const start = new Date(clock.nowMs() - 3_600_000).toISOString()
    const read = async () =>
      (await json<Overview>(`api/overview?today=${start}&month=${start}`)).today.coins
    expect(await read()).toEqual([])
    await inbox.credits.store([credit('1', clock.nowMs(), { rawAmount: 1_000_000_000n })])
    expect(await read()).toEqual([])
    await clock.advance(60_000)
    expect(await read()).toEqual([{ amount: '1 TON', count: 1 }])
  })

  it('rejects a period that is not this month', async () => {
    const { payments } = openShop()
    const { get } = openDesk(payments)
    const today = new Date(0).toISOString()
    expect((await get('api/overview')).status).toBe(400)
    expect((await get(`api/overview?today=${today}&month=${today}`)).status).toBe(400)
  })
})

describe('the sums of the overview in memory', () => {
  it('count the credits of today and of the month', async () => {
    expect(await readSums(openShop())).toEqual(SUMS)
  })
})

describe.skipIf(!hasPostgres)(`the sums of the overview on ${NEEDS_POSTGRES}`, () => {
  it('count the credits of today and of the month', async () => {
    const { url, drop } = await createPostgresDatabase()
    const pool = new pg.Pool({ connectionString: url, max: 4 })
    onTestFinished(async () => {
      await pool.end()
      await drop()
    })
    // The database has its own clock.
    const clock = createFakeClock({ startMs: Date.now() })
    const sums = await readSums(openShop({ inbox: postgresInbox(pool), clock }))
    expect(sums).toEqual(SUMS)
  })
})

const SUMS = {
  today: [
    { amount: '12.5 USDT', count: 1 },
    { amount: '10.5 TON', count: 1 },
  ],
  month: {
    coins: [
      { amount: '12.5 USDT', count: 1 },
      { amount: '11.5 TON', count: 2 },
    ],
    prices: [{ amount: '12.50 USD', count: 1 }],
    unpriced: 1,
  },
}

/** Stores money and payments of today, of the month and of an earlier one. */
async function readSums(shop: Shop): Promise<unknown> {
  const { payments, orders, inbox } = shop
  const now = payments.internals.clock.nowMs()
  await inbox.credits.store([
    credit('1', now, { rawAmount: 10_500_000_000n }),
    credit('2', now - 2 * DAY_MS, { rawAmount: 1_000_000_000n }),
    credit('3', now, { asset: USDT, rawAmount: 12_500_000n }),
    credit('4', now - 40 * DAY_MS),
  ])
  const rate = { price: '2', currency: 'USD', at: new Date(now), orderPrice: '12.5' }
  const offers: Offer[] = [{ asset: 'TON', rawAmount: 6_250_000_000n, decimals: 9, rate }]
  const priced = { rawAmount: undefined, asset: undefined, offers }
  orders.add(order({ reference: 'order-2', ...priced, createdAt: new Date(now) }))
  await report(payments)
  const date = new Date(now).toISOString()
  await report(payments, { reference: 'order-2', rawAmount: '6250000000', amount: '6.25', date })
  const { today, month } = await readOverview(shop)
  return { today: today.coins, month }
}

function credit(id: string, atMs: number, changes: Partial<NewCredit> = {}): NewCredit {
  const message = {
    hash: id,
    sender: WALLET,
    recipient: WALLET,
    value: 1n,
    isCommentEncrypted: false,
    transaction: id,
    fees: 0n,
    isShared: false,
  }
  return {
    id,
    account: WALLET,
    wallet: WALLET,
    txHash: id.padStart(64, '0'),
    asset: 'TON',
    rawAmount: 1n,
    traceId: id,
    utime: Math.floor(atMs / 1000),
    root: undefined,
    route: [message],
    order: undefined,
    ...changes,
  }
}

/** Today began an hour ago, and the month 30 days ago. */
function readOverview(
  { payments }: Pick<Shop, 'payments'>,
  options: Parameters<typeof openDesk>[1] = {},
): Promise<Overview> {
  const now = payments.internals.clock.nowMs()
  const [today, month] = [now - 3_600_000, now - 30 * DAY_MS].map((ms) =>
    new Date(ms).toISOString(),
  )
  const { json } = openDesk(payments, options)
  return json<Overview>(`api/overview?today=${today}&month=${month}`)
}

describe('the comparison of ledger and chain', () => {
  it('is not offered without a client of API v3', async () => {
    const { post } = openDesk(openShop().payments)
    expect(await (await post('books', {})).json()).toEqual({
      canCompare: false,
      isRunning: false,
      wallets: [],
    })
  })

  it.each([
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['without the token of the session', { 'x-csrf-token': 'other' }],
  ])('does not begin for a request %s', async (_, headers) => {
    const requests: string[] = []
    const masterchainInfo = async () => {
      requests.push('masterchainInfo')
      throw new Error('not reached')
    }
    const v3 = { masterchainInfo, messages: masterchainInfo } as never
    const { post, json } = openDesk(openShop().payments, { v3 })
    expect((await post('books', {}, headers)).status).toBe(403)
    expect(await json<DeskBooks>('api/books')).toMatchObject({ canCompare: true, isRunning: false })
    expect(requests).toEqual([])
  })

  it('begins on request, and says that the chain could not be read', async () => {
    const { payments, logger } = openShop()
    const requests: string[] = []
    const masterchainInfo = async () => {
      requests.push('masterchainInfo')
      throw new Error('https://index.example?api_key=secret')
    }
    // Methods that a request to an index that fails never calls are left out.
    const v3 = { masterchainInfo, messages: masterchainInfo } as never
    const { json, post } = openDesk(payments, { v3 })
    expect(await json<DeskBooks>('api/books')).toMatchObject({ canCompare: true, isRunning: false })
    expect(requests).toEqual([])
    await post('books', {})
    const failed = { isRunning: false, problem: 'The chain could not be read. Try again later.' }
    await expect.poll(() => json<DeskBooks>('api/books')).toMatchObject(failed)
    expect(logger.lines.map(({ message }) => message)).toContain(
      'desk comparison of ledger and chain failed',
    )
  })

  it('has sums in coins, and an alarm for money that the ledger lacks alone', () => {
    const account = {
      account: WALLET,
      asset: 'TON',
      state: 'balanced',
      credits: 5_000_000_000n,
      otherIn: 1_000_000_000n,
      returned: 0n,
      refunds: 2_000_000_000n,
      otherOut: 1_500_000_000n,
      fees: 1n,
      chain: 2_500_000_000n,
      difference: 0n,
      transactions: 4,
      alarms: [],
    } as const
    const words = { coins: createCoins(), network: 'testnet' } as const
    const balance = (changes: object): Balance => ({
      wallet: WALLET,
      state: 'balanced',
      head: 0,
      accounts: [{ ...account, ...changes }],
    })
    expect(booksOf(balance({}), words)).toMatchObject({
      coins: [
        {
          credited: '5 TON',
          refunded: '2 TON',
          otherIn: '1 TON',
          otherOut: '1.5 TON',
          balance: '2.5 TON',
        },
      ],
      alarms: [],
      isComplete: true,
    })
    const alarms = [{ kind: 'balance_differs', detail: '0:0a has 3 base units' }]
    expect(booksOf(balance({ alarms, difference: -3_000_000_000n }), words).alarms).toEqual([
      'The chain has 3 TON more than the ledger.',
    ])
  })
})
