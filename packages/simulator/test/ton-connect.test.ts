import type { Invoice } from '@tonplug/core'
import {
  createWalletRequests,
  type ConnectedWallet,
  type WalletRequests,
} from '@tonplug/core/checkout'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openInvoices } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>

/** A wallet that is not connected yet, with its entry in the list of wallets. */
const wallet: ConnectedWallet = {
  features: [{ name: 'SendTransaction', maxMessages: 255, itemTypes: ['ton', 'jetton'] }],
}

/** Returns the link by which a page or a bot connects a wallet, and hands it the request of an invoice. */
function connectLink(invoice: Invoice): string {
  const query = new URLSearchParams({ v: '2', id: 'ab'.repeat(32), e: invoice.embedded() })
  return `tc://?${query}`
}

/** Opens the page of an order. The browser has one tab. */
function openPage({ clock }: Shop, invoice: Invoice): WalletRequests {
  const items = new Map<string, string>()
  return createWalletRequests({
    reference: invoice.order.reference,
    payment: JSON.parse(JSON.stringify(invoice)),
    messagesFor: () => Promise.reject(new Error('no request to the shop')),
    confirmUnprotected: () => false,
    storage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
    locks: { request: (_, callback) => callback() },
    nowMs: () => clock.nowMs(),
  })
}

/** Passes each status of an order to its page. */
function follow({ payments }: Shop, page: WalletRequests, { order }: Invoice): void {
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const read = async (): Promise<void> => {
    for await (const event of payments.watchStatus(order.reference, { signal: end.signal }))
      page.update(event)
  }
  void read()
}

/** Lets the shop look at the chain after a time, and the page get its status. */
async function lookAfter({ pass, watcher, clock }: Shop, seconds: number): Promise<void> {
  await pass(seconds)
  await watcher.run()
  for (let second = 0; second < 20; second++) await clock.advance(1000)
}

async function orderFor(shop: Shop, coin: string): Promise<Invoice> {
  const asset = coin === 'TON' ? 'TON' : shop.usdt.master.toString()
  return shop.open({ asset, rawAmount: 2_000_000n })
}

describe.each(['TON', 'USDT'])('a request of TON Connect in %s', (coin) => {
  it('S152 is connected and paid in one step when it is embedded', async () => {
    const shop = await openInvoices()
    const [payer, invoice] = [await shop.payer(), await orderFor(shop, coin)]
    const answer = await payer.connect(connectLink(invoice))
    expect(answer).toEqual({ hasResponse: true, response: { boc: expect.any(String) } })
    expect(await shop.look()).toEqual(['paid'])
    expect(shop.paid).toEqual([invoice.order.reference])
  })

  it('S152 is paid without a request to the shop or to API v3', async () => {
    const shop = await openInvoices()
    const [payer, invoice] = [await shop.payer(), await orderFor(shop, coin)]
    const page = openPage(shop, invoice)
    const { requests } = shop.chain.v3Server
    const before = requests.length
    await page.pay(wallet, (request) => payer.pay(request as Parameters<typeof payer.pay>[0]))
    expect(requests.length).toBe(before)
    expect(await shop.look()).toEqual(['paid'])
  })

  it('S151 is not repeated when the wallet pays and does not respond', async () => {
    const shop = await openInvoices()
    const [payer, invoice] = [await shop.payer(), await orderFor(shop, coin)]
    const page = openPage(shop, invoice)
    follow(shop, page, invoice)
    const send = () => payer.connect(connectLink(invoice), { isSilent: true })
    const dispatched = { hasResponse: false, connectResult: { dispatched: true } }
    expect(await page.pay(wallet, send)).toEqual(dispatched)
    expect(page.mayPay()).toBe(false)
    await expect(page.pay(wallet, send)).rejects.toThrow('may still arrive')
    expect(await shop.look()).toEqual(['paid'])
    await lookAfter(shop, 400)
    expect(page.mayPay()).toBe(false)
    expect([shop.paid.length, shop.events]).toEqual([1, []])
  })

  it('S151 is repeated only when the shop has looked a minute past its end', async () => {
    const shop = await openInvoices()
    const [payer, invoice] = [await shop.payer(), await orderFor(shop, coin)]
    const page = openPage(shop, invoice)
    follow(shop, page, invoice)
    const link = connectLink(invoice)
    await page.pay(wallet, () => payer.connect(link, { isSilent: true, isDeclined: true }))
    await lookAfter(shop, 300)
    expect([page.mayPay(), page.hasOpenRequest()]).toEqual([false, true])
    await lookAfter(shop, 61)
    expect([page.mayPay(), page.hasOpenRequest()]).toEqual([true, false])
    await page.pay(wallet, () => payer.connect(connectLink(invoice)))
    expect(await shop.look()).toEqual(['paid'])
  })

  it('may be repeated at once when the payer has declined it', async () => {
    const shop = await openInvoices()
    const [payer, invoice] = [await shop.payer(), await orderFor(shop, coin)]
    const page = openPage(shop, invoice)
    const declined = page.pay(wallet, () =>
      payer.connect(connectLink(invoice), { isDeclined: true }),
    )
    await expect(declined).rejects.toMatchObject({ code: 300 })
    expect(page.mayPay()).toBe(true)
  })

  it('is lost in a connect link that is too long, and may be repeated at once', async () => {
    const shop = await openInvoices()
    const [payer, invoice] = [await shop.payer(), await orderFor(shop, coin)]
    const page = openPage(shop, invoice)
    const link = `${connectLink(invoice)}&r=${'a'.repeat(1024)}`
    await page.pay(wallet, () => payer.connect(link))
    expect(page.mayPay()).toBe(true)
    expect(await shop.look()).toEqual([])
  })
})

describe('a payment that the payer signs and a relay sends', () => {
  it('S153 pays the amount of the order, beside the commission of the relay', async () => {
    const shop = await openInvoices()
    const relay = await shop.payer()
    const payer = await shop.chain.createWallet({ balance: 0n })
    await shop.usdt.mint(payer.address, 2_050_000n)
    const invoice = await orderFor(shop, 'USDT')
    const responseDestination = relay.address.toString()
    const { items, ...request } = await invoice.tonConnect({ responseDestination })
    const commission = { ...items[0]!, amount: '50000', destination: responseDestination }

    const signed = await payer.signMessage({ ...request, items: [...items, commission] })
    expect(await shop.look()).toEqual([])
    await relay.relay(signed)

    expect(await shop.look()).toEqual(['paid'])
    const stored = await shop.orders.find(invoice.order)
    expect(stored?.payment).toMatchObject({
      rawAmount: 2_000_000n,
      senderAddr: payer.address.toRawString(),
    })
    const balances = [shop.merchant, relay, payer].map(({ address }) =>
      shop.usdt.balanceOf(address),
    )
    expect(await Promise.all(balances)).toEqual([2_000_000n, 1_000_050_000n, 0n])
  })

  it('is signed by wallets of version 5 only', async () => {
    const shop = await openInvoices()
    const [payer, invoice] = [await shop.payer('v4'), await orderFor(shop, 'TON')]
    await expect(payer.signMessage(invoice.link)).rejects.toThrow('version v5')
  })
})

it('an embedded request with a name that the protocol does not have is refused', async () => {
  const shop = await openInvoices()
  const [payer, invoice] = [await shop.payer(), await orderFor(shop, 'TON')]
  const compact: unknown = JSON.parse(Buffer.from(invoice.embedded(), 'base64url').toString())
  const changed = JSON.stringify({ ...Object(compact), order: '17' })
  const link = `tc://?e=${Buffer.from(changed).toString('base64url')}`
  await expect(payer.connect(link)).rejects.toThrow('order')
})

it('refuses an address alone, and names what it expects', async () => {
  const payer = await (await openInvoices()).payer()
  await expect(payer.pay(payer.address.toString())).rejects.toThrow(
    `expected ton://transfer/<address>?amount=… or an embedded request; received ${payer.address.toString()}`,
  )
})

it.each([{ ms: [] }, { i: [] }])('refuses an embedded request with %o', async (empty) => {
  const payer = await (await openInvoices()).payer()
  const embedded = Buffer.from(JSON.stringify({ m: 'st', ...empty })).toString('base64url')
  await expect(payer.pay(embedded)).rejects.toThrow('expected a request with either messages')
})
