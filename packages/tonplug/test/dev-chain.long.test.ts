import { createV3Client } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import type { PageState } from '../src/dev/page-api.js'
import { startDevChain, type DevProcess } from './dev-process.js'
import { tonplug } from './run-command.js'
import { openWatchingShop, type WatchingShop } from './watching-shop.js'

type ChainState = NonNullable<PageState['chain']>

/** Returns the newest state that the server sends to a page. */
async function chainState(dev: DevProcess): Promise<ChainState> {
  const { body } = await dev.ask('events')
  let text = ''
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const [, data] = /^event: state\ndata: (.*)\n\n/m.exec(text) ?? []
    if (data !== undefined) return (JSON.parse(data) as { chain: ChainState }).chain
  }
  throw new Error('the stream has ended')
}

async function openShop(): Promise<{ shop: WatchingShop; dev: DevProcess }> {
  const shop = await openWatchingShop()
  const dev = await startDevChain(['--shop', shop.route])
  shop.pointAt(dev)
  return { shop, dev }
}

/** Opens a link on the page and pays it. */
async function pay(dev: DevProcess, link: string, variant: string): Promise<number> {
  const opened = await dev.ask('api/orders', { link })
  const { id } = (await opened.json()) as { id: string }
  return (await dev.ask(`api/orders/${id}/pay`, { variant })).status
}

/** Returns an order with its payments. */
async function orderOf(dev: DevProcess, reference: string) {
  const { orders } = await chainState(dev)
  return orders.find((order) => order.reference === reference)
}

const inTon = { amount: '0.5', asset: 'TON' } as const
const inUsdt = ({ usdt: asset }: WatchingShop) => ({ amount: '2.5', asset })

interface Promised {
  variant: string
  coin: 'TON' | 'USDT'
  /** The status that the buyer sees. */
  status: string
  /** About each payment, oldest first. */
  decisions: (string | null)[]
}

const PROMISES: Promised[] = (['TON', 'USDT'] as const).flatMap((coin) => [
  { variant: 'whole', coin, status: 'paid', decisions: ['paid'] },
  { variant: 'half', coin, status: 'partially_paid', decisions: ['amount_mismatch'] },
  { variant: 'twice', coin, status: 'paid', decisions: ['paid', 'extra_payment'] },
  { variant: 'exchange', coin, status: 'paid', decisions: ['paid'] },
  { variant: 'relay', coin, status: 'paid', decisions: ['paid'] },
  { variant: 'wrong-coin', coin, status: 'needs_shop', decisions: ['amount_mismatch'] },
  { variant: 'no-comment', coin, status: 'waiting', decisions: [null] },
  {
    variant: 'forged',
    coin,
    status: 'needs_shop',
    // The amounts are compared first.
    decisions: [coin === 'TON' ? 'amount_mismatch' : 'asset_mismatch'],
  },
])

describe('dev without a gateway', () => {
  it('pays in every way, and shows what the shop decides about each payment', async () => {
    const { shop, dev } = await openShop()
    const references: string[] = []
    for (const { variant, coin } of PROMISES) {
      const { link, reference } = await shop.order(coin === 'TON' ? inTon : inUsdt(shop))
      expect(await pay(dev, link, variant)).toBe(200)
      references.push(reference)
    }
    // Payments are decided in the order of the chain.
    const last = await shop.order(inTon)
    expect(await pay(dev, last.link, 'whole')).toBe(200)
    await expect.poll(() => shop.shipped).toContain(last.reference)

    const outcomes = async () => {
      const { orders } = await chainState(dev)
      return references.map((reference, index) => {
        const order = orders.find((one) => one.reference === reference)
        const variant = PROMISES[index]?.variant
        const payments = order?.payments.filter((payment) => payment.variant === variant) ?? []
        // Oldest first.
        const decisions = payments.map(({ decision }) => decision).toReversed()
        return { variant, coin: order?.ticker, status: order?.shop.status, decisions }
      })
    }
    await expect.poll(outcomes).toEqual(PROMISES)
    const isShipped = () => references.map((reference) => shop.shipped.includes(reference))
    await expect.poll(isShipped).toEqual(PROMISES.map(({ status }) => status === 'paid'))
    const { orders } = await chainState(dev)
    const payments = orders.flatMap((order) => order.payments)
    expect(payments).toHaveLength(PROMISES.length + 3)
    for (const { refusal, txHash, sender, variant } of payments) {
      expect(refusal).toBe(null)
      expect(txHash).toMatch(/^[0-9a-f]{64}$/)
      expect(sender).toBe(variant === 'exchange' ? 'Exchange' : 'Buyer')
    }
  })

  it('deposits the money of the wallets long before a shop starts, which does not report it', async () => {
    const dev = await startDevChain([])
    const environment = dev.start.chain?.environment.map(({ name, value }) => [name, value])
    const { SHOP_WALLET: account = '', TONCENTER_URL: baseUrl = '' } = Object.fromEntries(
      environment ?? [],
    ) as Record<string, string>
    const v3 = createV3Client({ baseUrl, rps: Infinity })
    const { transactions } = await v3.transactions({ account, limit: 100 })
    const hourAgo = Date.now() / 1000 - 3600
    expect(transactions.length).toBeGreaterThan(0)
    expect(transactions.filter(({ now }) => now > hourAgo)).toEqual([])
    const { block, aheadMs } = await chainState(dev)
    expect(aheadMs).toBe(0)
    expect(block.atMs / 1000).toBeGreaterThan(hourAgo + 3000)
  })

  it('pays an order late, which the shop records as late', async () => {
    const { shop, dev } = await openShop()
    const expiresAt = new Date(Date.now() + 15 * 60_000)
    const { link, reference } = await shop.order({ ...inTon, expiresAt })
    expect(await pay(dev, link, 'late')).toBe(200)
    await expect.poll(() => shop.shipped).toEqual([reference])
    const { aheadMs, block, orders } = await chainState(dev)
    expect(aheadMs).toBeGreaterThan(15 * 60_000)
    expect(block.atMs).toBeGreaterThan(expiresAt.getTime())
    expect(orders[0]?.payments[0]?.atMs).toBeGreaterThan(expiresAt.getTime())
  })

  it('misses decisions when none is reported ten seconds after a payment', async () => {
    const shop = await openWatchingShop({ isReporting: false })
    const dev = await startDevChain(['--shop', shop.route])
    shop.pointAt(dev)
    const isOverdue = async () => (await chainState(dev)).isDecisionOverdue
    const { link, reference } = await shop.order(inTon)
    await pay(dev, link, 'half')
    await dev.ask('api/time', { seconds: 3600 })
    expect(await isOverdue()).toBe(false)
    await expect.poll(isOverdue).toBe(true)
    const [payment] = (await orderOf(dev, reference))?.payments ?? []
    await dev.ask('api/decisions', { kind: 'amount_mismatch', txHash: payment?.txHash })
    expect(await isOverdue()).toBe(false)
  })

  it.each(['TON', 'USDT'])('pays a request of TON Connect in %s like a link', async (coin) => {
    const { shop, dev } = await openShop()
    const price = coin === 'TON' ? inTon : inUsdt(shop)
    const { request, reference } = await shop.order(price)
    expect(await pay(dev, request, 'half')).toBe(200)
    expect(await orderOf(dev, reference)).toMatchObject({ amount: price.amount, ticker: coin })
    expect(await pay(dev, request, 'whole')).toBe(200)
    await expect.poll(() => shop.shipped).toEqual([reference])
    for (const invalid of ['{', '{}', '{"items":[{},{}]}', '{"items":[{"type":"jetton"}]}']) {
      expect((await dev.ask('api/orders', { link: invalid })).status).toBe(400)
    }
  })

  it('refuses what a wallet app refuses, and reports why', async () => {
    const { shop, dev } = await openShop()
    const { link } = await shop.order(inTon)
    await pay(dev, link, 'late')
    const [recipient] = link.split('?')
    await pay(dev, `${recipient}?amount=1&text=old&exp=1700000000`, 'whole')
    const { orders } = await chainState(dev)
    expect(orders.map(({ payments }) => payments[0]?.refusal)).toEqual([
      expect.stringContaining('The link expired at 2023-11-14'),
      expect.stringContaining('never expires'),
    ])
    expect(orders[0]?.payments).toHaveLength(1)
  })

  it('makes blocks while nothing happens, and moves the time on', async () => {
    const dev = await startDevChain()
    const v3 = createV3Client({ baseUrl: dev.start.chain?.url ?? '', rps: Infinity })
    const first = (await v3.masterchainInfo()).last
    await expect
      .poll(async () => (await v3.masterchainInfo()).last.seqno)
      .toBeGreaterThan(first.seqno + 1)
    expect((await dev.ask('api/time', { seconds: 3600 })).status).toBe(200)
    const { last } = await v3.masterchainInfo()
    expect(Number(last.gen_utime) - Date.now() / 1000).toBeGreaterThan(3500)
  })

  it('sends coins of the faucet', async () => {
    const { shop, dev } = await openShop()
    const address = dev.start.chain?.environment[0]?.value
    expect((await dev.ask('api/faucet', { address })).status).toBe(200)
    const { wallets } = await chainState(dev)
    expect(wallets[0]).toMatchObject({
      name: 'Shop',
      address,
      balances: [{ ticker: 'TON' }, { ticker: 'USDT', amount: '100' }],
    })
    expect((await dev.ask('api/faucet', { address: 'me' })).status).toBe(400)
    expect(shop.usdt).toMatch(/^EQ/)
  })

  it('reports a shop that does not respond as a problem of the order', async () => {
    const dev = await startDevChain(['--shop', 'http://127.0.0.1:1/orders/:reference/events'])
    const address = dev.start.chain?.environment[0]?.value
    await pay(dev, `ton://transfer/${address}?amount=5&text=order-1`, 'whole')
    const problem = async () => (await orderOf(dev, 'order-1'))?.shop.problem
    await expect.poll(problem).toMatch(/(?:ECONNREFUSED|bad port).* set --shop/)
  })

  it('responds to invalid requests with their status', async () => {
    const dev = await startDevChain()
    const transfer = { amount: '1', ticker: 'TON', comment: '', reference: '' }
    for (const [path, body, status] of [
      ['api/orders', { link: 'ton://transfer/UQ?amount=1' }, 400],
      ['api/orders', { link: 'https://example.com' }, 400],
      ['api/orders/unknown/pay', { variant: 'whole' }, 404],
      ['api/orders/unknown/pay', { variant: 'stolen' }, 400],
      ['api/time', { seconds: 0 }, 400],
      ['api/transfers', transfer, 404],
    ] as const) {
      const response = await dev.ask(path, body)
      expect({ path, status: response.status }).toEqual({ path, status })
    }
    expect((await dev.ask('api/orders')).status).toBe(405)
  })

  it('rejects requests of pages of other origins', async () => {
    const dev = await startDevChain()
    const headers = { origin: 'http://evil.example', 'content-type': 'application/json' }
    for (const path of ['api/orders', 'api/orders/1/pay', 'api/faucet', 'api/time']) {
      expect((await dev.ask(path, {}, headers)).status).toBe(403)
    }
  })

  it.each([
    ['--no-chain', ['--no-chain'], '--url'],
    ['a shop without :reference', ['--shop', 'http://localhost:3000/orders'], '--shop'],
    ['a shop without a URL', ['--shop', ':reference'], '--shop'],
  ])('rejects %s with exit code 2', async (_, args, named) => {
    const ended = await tonplug(['dev', ...args])
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(named)
  })
})
