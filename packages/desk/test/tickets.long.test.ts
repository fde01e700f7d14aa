import { comment as commentBody } from '@ton/core'
import { createTransferReport } from '@tonplug/core'
import type { PaymentStory, SigningResult } from '@tonplug/desk'
import type { Queryable } from '@tonplug/postgres'
import { startSimulator, type Simulator } from '@tonplug/simulator'
import { createPostgresDatabase, hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { createFakeClock } from '@tonplug/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPGlite } from './pglite.js'
import { memoryStores, openTicketShop, postgresStores, type TicketStores } from './ticket-shop.js'

const TON = 1_000_000_000n
const MAX_CLICKS = 3

/** The clock of the chain. */
const clock = createFakeClock({ startMs: Date.now() })
let simulator: Simulator
beforeAll(async () => void (simulator = await startSimulator({ secret: 'whsec_tickets', clock })))
afterAll(() => simulator.close())

describe('a ticket of support in memory', () => {
  describeTickets(memoryStores)
})
describe('a ticket of support on PGlite', async () => {
  const db = await createPGlite()
  afterAll(() => db.close())
  describeTickets((name) => postgresStores(db, name))
})
describe.skipIf(!hasPostgres)(`a ticket of support on ${NEEDS_POSTGRES}`, () => {
  let db: Queryable
  let close: () => Promise<void>
  beforeAll(async () => {
    const { url, drop } = await createPostgresDatabase()
    const pool = new pg.Pool({ connectionString: url, max: 4 })
    db = pool
    close = async () => {
      await pool.end()
      await drop()
    }
  })
  afterAll(() => close())
  describeTickets((name) => postgresStores(db, name))
})

let shops = 0

function describeTickets(storesOf: (name: string) => TicketStores): void {
  async function start(options: { isProven?: boolean } = {}) {
    const name = `shop-${++shops}`
    const stores = storesOf(name)
    const shop = await openTicketShop(simulator, { stores, name, clock, ...options })
    await shop.add({ reference: 'order-1', rawAmount: 6_500_000_000n, asset: 'TON' })
    return { ...shop, ann: shop.operator('ann@shop.example') }
  }

  it('accepts the half that was paid', async () => {
    const { pay, ann, stock } = await start()
    await pay(3_250_000_000n, 'order-1')
    const story = await ann.solve('3,25', { reference: 'order-1', state: 'partly paid' })
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(
        /^3\.25 TON of 6\.5 TON arrived from 0Q.* 3\.25 TON is missing\.$/,
      ),
      action: 'accept',
    })
    expect(await ann.act('accept', story)).toMatchObject({
      isSuccess: true,
      message: 'It was accepted. The order is paid.',
    })
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    const after = await ann.reload()
    expect(after.situation.name).toBe('paid')
    expect(after.payments[0]?.actions).toEqual([])
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
  })

  it('sends the second of two payments back by a link', async () => {
    const { pay, ann, stock } = await start()
    await pay(6_500_000_000n, 'order-1')
    await pay(6_500_000_000n, 'order-1')
    const story = await ann.solve('6.50 TON', { reference: 'order-1', state: 'paid twice' })
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(/^6\.5 TON arrived .* which was already paid\.$/),
      action: 'refund',
    })
    await ann.act('refund', story, { reason: 'paid twice' })
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    const open = await ann.reload()
    expect(open.situation).toMatchObject({
      name: 'refund open',
      happened: expect.stringMatching(/^A refund of 6\.5 TON to 0Q.* is open\.$/),
    })
    expect(open.payments[0]?.refund?.toSign?.link).toMatch(/^ton:\/\/transfer\/.*exp=\d+/)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
  })

  it('assigns a payment without a comment to the only order of its amount', async () => {
    const { pay, ann, stock } = await start()
    await pay(6_500_000_000n)
    const story = await ann.solve('6.5', { reference: '', state: 'unknown order' })
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(/^6\.5 TON arrived .* without a comment/),
      action: 'assign',
    })
    const path = `api/suggestions?reportId=${story.payments[0]?.reportId}`
    const suggested = await ann.browser.json<{ orders: { reference: string }[] }>(path)
    expect(suggested.orders.map(({ reference }) => reference)).toEqual(['order-1'])
    expect(await ann.act('assign', story, suggested.orders[0])).toMatchObject({
      message: 'It was assigned to order order-1. The order is paid.',
    })
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    expect((await ann.reload()).situation.happened).toMatch(/and has paid order order-1\.$/)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
  })

  it('sends back what was paid after the order was cancelled', async () => {
    const { pay, ann, cancel, stock } = await start()
    await cancel('order-1')
    await pay(6_500_000_000n, 'order-1')
    const story = await ann.solve('ORDER-1', {
      reference: 'order-1',
      state: 'paid after cancelling',
    })
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(/^6\.5 TON arrived .* which had been cancelled\.$/),
      action: 'refund',
    })
    await ann.act('refund', story)
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    const open = await ann.reload()
    expect(open.payments[0]?.refund?.toSign?.link).toMatch(/^ton:\/\/transfer\/.*exp=\d+/)
    expect(stock.shipped).toEqual([])
  })

  it('accepts what was paid in the wrong coin', async () => {
    const { send, ann, wallets, stock } = await start()
    const { buyer, usdt } = simulator
    const to = wallets[0]!.address
    await send([
      usdt.transferMessage({
        from: buyer.address,
        to,
        amount: 13_000_000n,
        response: buyer.address,
        forwardCoins: 1n,
        forwardPayload: commentBody('order-1'),
      }),
    ])
    const story = await ann.solve('13 usdt', { reference: 'order-1', state: 'wrong coin' })
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(
        /^13 USDT arrived .*, but order order-1 asks for 6\.5 TON\.$/,
      ),
      action: 'refund',
    })
    await ann.act('accept', story, { reason: 'worth more than the price' })
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    const after = await ann.reload()
    expect(after.situation.name).toBe('paid')
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
  })

  it('accepts what was paid too much', async () => {
    const { pay, ann, stock } = await start()
    await pay(7n * TON, 'order-1')
    const story = await ann.solve('7', { reference: 'order-1', state: 'too much' })
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(/^7 TON arrived .*, but order order-1 asks for 6\.5 TON\.$/),
      action: 'accept',
    })
    await ann.act('accept', story, { reason: 'a tip' })
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    expect((await ann.reload()).situation.name).toBe('paid')
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
  })

  it('shows that the other wallet of two was paid, and sends the money back', async () => {
    const { pay, ann, add, wallets, stock } = await start()
    const [expected, other] = wallets
    await add({
      reference: 'order-2',
      rawAmount: TON,
      asset: 'TON',
      recipient: String(expected?.address),
    })
    await pay(TON, 'order-2', other)
    const story = await ann.solve('1 TON', { reference: '', state: 'wrong wallet' })
    expect(story.order?.reference).toBe('order-2')
    const page = await ann.browser.json<PaymentStory>('api/payment?reference=order-2')
    expect(page.situation).toEqual(story.situation)
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(/^1 TON for order order-2 was sent from .* to 0Q/),
      action: 'refund',
    })
    await ann.act('refund', story)
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    const open = await ann.reload()
    expect(open.payments[0]?.refund?.toSign?.wallet).toBe(
      other?.address.toString({ bounceable: false, testOnly: true }),
    )
    expect(stock.shipped).toEqual([])
  })

  it('runs a task again that has failed for good', async () => {
    const { pay, ann, stock } = await start()
    stock.isOut = true
    await pay(6_500_000_000n, 'order-1')
    const failed = { reference: 'order-1', state: 'task failed' }
    await vi.waitFor(() => ann.solve('order-1', failed), { timeout: 300_000, interval: 200 })
    const story = await ann.solve('order-1', failed)
    expect(story.situation).toMatchObject({
      happened: expect.stringMatching(
        /Order order-1 is paid\. The task onPaid of the shop has failed\.$/,
      ),
      action: 'retry',
    })
    stock.isOut = false
    expect(await ann.act('retry', story)).toMatchObject({
      message: '1 task runs again within seconds.',
    })
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
    await expect.poll(async () => (await ann.reload()).situation.name).toBe('paid')
  })

  it('says to wait for a pending proof, and shows the order as paid with it', async () => {
    const { payments, ann, wallets, look, stock, index } = await start({ isProven: true })
    index.isDown = true
    const { buyer } = simulator
    const to = wallets[0]!.address
    const link = `ton://transfer/${to.toString()}?amount=6500000000&text=order-1`
    const announced = {
      amount: '6.5',
      rawAmount: '6500000000',
      senderAddr: buyer.address.toString(),
      recipientAddr: to.toString(),
      asset: 'TON',
      status: 'success',
      reference: 'order-1',
      bodyBase64Hash: commentBody('order-1').hash().toString('base64'),
      commentToRecipient: 'order-1',
      date: new Date().toISOString(),
    } as const
    const { transaction } = await buyer.pay(link)
    const txHash = transaction.hash().toString('hex')
    const transfer = { ...announced, txHash, traceId: txHash }
    await payments.submit(createTransferReport(transfer, { source: 'gateway' }))
    const story = await ann.solve(txHash.slice(0, 8), {
      reference: 'order-1',
      state: 'waiting for proof',
    })
    expect(story.situation).toMatchObject({
      happened:
        '6.5 TON for order order-1 was announced. The proof on the chain is pending: wait, and ship nothing yet.',
    })
    expect(story.situation.todo).toBeUndefined()
    expect(story.payments[0]?.actions).toEqual([])
    expect(stock.shipped).toEqual([])
    index.isDown = false
    await look()
    await expect.poll(async () => (await ann.reload()).situation.name).toBe('paid')
    expect(ann.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
  })

  it('opens no second refund, and shows the open one to every operator', async () => {
    const { pay, ann, operator } = await start()
    await pay(6_500_000_000n, 'order-1')
    await pay(6_500_000_000n, 'order-1')
    const twice = { reference: 'order-1', state: 'paid twice' }
    const first = await ann.solve('order-1', twice)
    const bob = operator('bob@shop.example')
    const second = await bob.solve('order-1', twice)
    await ann.act('refund', first)
    // Bob's page is old.
    expect(await bob.act('refund', second)).toMatchObject({
      isSuccess: false,
      message: expect.stringMatching(/^No refund was opened: a refund of it is open/),
    })
    expect(bob.clicks()).toBeLessThanOrEqual(MAX_CLICKS)
    const [mine, other] = [await ann.reload(), await bob.reload()]
    expect(other.situation.name).toBe('refund open')
    expect(other.situation.action).toBeUndefined()
    const [payment] = other.payments
    expect(payment).toMatchObject({ actions: [], refund: { by: 'ann@shop.example' } })
    expect(payment?.refund?.toSign?.link).toBe(mine.payments[0]?.refund?.toSign?.link)
    expect(other.timeline.filter(({ text }) => text.includes('refund of'))).toHaveLength(1)
  })

  it('lets one operator sign a refund, and the next one after the wallet has declined', async () => {
    const { pay, ann, operator } = await start()
    await pay(6_500_000_000n, 'order-1')
    await pay(6_500_000_000n, 'order-1')
    await ann.act(
      'refund',
      await ann.solve('order-1', { reference: 'order-1', state: 'paid twice' }),
    )
    const toSign = async () => (await ann.reload()).payments[0]?.refund?.toSign
    const reportId = (await toSign())?.reportId
    const bob = operator('bob@shop.example')
    const sign = async ({ browser }: typeof ann, id?: string): Promise<SigningResult> =>
      (await (await browser.post('signing', { reportId, id })).json()) as SigningResult
    const first = await Promise.all([ann, bob, ann, bob, ann, bob].map((one) => sign(one)))
    expect(first.filter(({ id }) => id !== undefined).length).toBeLessThanOrEqual(1)
    for (const { id } of first)
      if (id !== undefined) await Promise.all([sign(ann, id), sign(bob, id)])
    const own = await sign(ann)
    expect(own).toEqual({ id: expect.any(String) })
    const refused = { problem: 'ann@shop.example is signing this refund.' }
    expect(await sign(bob)).toEqual(refused)
    expect(await sign(ann)).toEqual(refused)
    expect((await toSign())?.signing).toMatchObject({ id: own.id, by: 'ann@shop.example' })
    await sign(bob, own.id)
    expect(await sign(bob)).toEqual(refused)
    await sign(ann, own.id)
    expect((await toSign())?.signing).toBeUndefined()
    expect(await sign(bob)).toEqual({ id: expect.any(String) })
  })
}
