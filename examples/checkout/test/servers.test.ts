import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createInvoice } from '@tonplug/core'
import { postgresOrderRepository } from '@tonplug/postgres'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openEvents, openShop, servers, type ShopHarness } from './harness.js'

/** A chosen offer of the response of `POST /orders`. */
interface CreatedOrder {
  reference: string
  asset: string
  link: string
  amount: string
}

const COINS = ['TON', 'USD₮']

async function createOrder({ url }: ShopHarness, coin = 'TON'): Promise<CreatedOrder> {
  const { body } = await request(url).post('/orders').expect(201)
  const { reference, offers } = body
  // supertest does not know its type.
  return { reference, ...offers[COINS.indexOf(coin)] } as CreatedOrder
}

/** Pays as the page does: the shop creates the request of TON Connect for the address of the wallet. */
async function payWithTestWallet(
  { url }: ShopHarness,
  { reference, asset }: CreatedOrder,
): Promise<void> {
  const wallet = await request(url).get('/test-wallet').expect(200)
  const payment = await request(url)
    .post(`/orders/${reference}/ton-connect`)
    .send({ sender: wallet.body.address, asset })
    .expect(200)
  await request(url).post('/test-wallet/payments').send({ payment: payment.body }).expect(204)
}

async function payLink({ url }: ShopHarness, link: string): Promise<void> {
  await request(url).post('/test-wallet/payments').send({ payment: link }).expect(204)
}

// Object.keys returns strings.
const names = Object.keys(servers) as (keyof typeof servers)[]

describe.each(names)('the shop on %s', (server) => {
  let shop: ShopHarness
  beforeAll(async () => {
    shop = await openShop(server)
  })
  afterAll(() => shop.close())

  test.each([
    ['S89', 'TON', '0.25'],
    ['S90', 'USD₮', '0.75'],
  ])('sells %s for %s through TON Connect, and by the link', async (_, coin, amount) => {
    const [first, second] = [await createOrder(shop, coin), await createOrder(shop, coin)]
    expect(first).toMatchObject({ amount, link: expect.stringMatching(/^ton:\/\/transfer\/0Q/) })
    const [events, others] = [
      await openEvents(shop.url, first.reference),
      await openEvents(shop.url, second.reference),
    ]
    expect([await events.next(), await others.next()]).toEqual(['waiting', 'waiting'])

    await payWithTestWallet(shop, first)
    expect(await events.settled()).toBe('paid')
    await expect.poll(() => shop.paid).toContain(first.reference)

    await payLink(shop, second.link)
    expect(await others.settled()).toBe('paid')
    await expect.poll(() => shop.paid).toContain(second.reference)
    expect(new Set(shop.paid).size).toBe(shop.paid.length)
  })

  test('takes the rest of an order after half of its price, and ships it once', async () => {
    const { reference, link } = await createOrder(shop)
    const agent = request(shop.url)
    const events = await openEvents(shop.url, reference)
    expect(await events.next()).toBe('waiting')
    await agent.get(`/orders/${reference}/rest`).expect(404)
    await agent.get(`/orders/${reference}`).expect({ status: 'pending' })

    await payLink(shop, link.replace('amount=250000000', 'amount=100000000'))

    expect(await events.settled()).toBe('partially_paid')
    expect(shop.paid).not.toContain(reference)
    const { body: rest } = await agent.get(`/orders/${reference}/rest`).expect(200)
    expect(rest).toMatchObject({ amount: '0.15', link: expect.stringMatching(/amount=150000000&/) })

    await payLink(shop, rest.link)

    expect(await events.settled()).toBe('paid')
    await expect.poll(() => shop.paid).toContain(reference)
    await agent.get(`/orders/${reference}/rest`).expect(404)
    const { body: receipt } = await agent.get(`/orders/${reference}`).expect(200)
    expect(receipt).toMatchObject({
      status: 'completed',
      payment: { asset: 'TON', rawAmount: '250000000', isLate: false },
    })
    const transaction = await fetch(shop.url + receipt.payment.url)
    expect(await transaction.json()).toMatchObject({ transactions: [expect.anything()] })
  })

  test('S97 expires an order, asks for no payment afterwards, and takes a late one', async () => {
    const { db, wallet } = shop.settings
    const { order, link } = await createInvoice({ wallet, asset: 'TON', amount: '0.25' })
    const { reference } = order
    const createdAt = new Date(Date.now() - 3_600_000)
    await postgresOrderRepository(db).create({ ...order, createdAt, data: null })
    // The server expires old orders when it starts.
    await shop.restart()
    const events = await openEvents(shop.url, reference)
    await expect.poll(() => events.next()).toBe('expired')
    await request(shop.url)
      .post(`/orders/${reference}/ton-connect`)
      .send({ sender: shop.buyer.address.toString(), asset: 'TON' })
      .expect(404)

    // The watcher looks every second while there is a new order.
    await createOrder(shop)
    await payLink(shop, link)

    expect(await events.settled()).toBe('paid')
  })

  test('reports a payment to a page that was disconnected, also after a restart', async () => {
    const order = await createOrder(shop)
    const { reference } = order
    const otherOrder = await createOrder(shop)
    const { reference: other } = otherOrder
    const events = await openEvents(shop.url, reference)
    expect(await events.next()).toBe('waiting')
    events.leave()
    await payWithTestWallet(shop, order)
    await expect.poll(() => shop.paid).toContain(reference)
    expect(await (await openEvents(shop.url, reference)).next()).toBe('paid')

    await shop.restart()

    expect(await (await openEvents(shop.url, reference)).next()).toBe('paid')
    const others = await openEvents(shop.url, other)
    expect(await others.next()).toBe('waiting')
    await payWithTestWallet(shop, otherOrder)
    expect(await others.settled()).toBe('paid')
  })

  test('rejects what no page sends, and reports its health', async () => {
    const { reference } = await createOrder(shop)
    const agent = request(shop.url)
    const sender = shop.buyer.address.toString()
    const tonConnect = `/orders/${reference}/ton-connect`
    for (const unknown of ['nope', '%00', '%F0%9F%98%80'.repeat(300)]) {
      await agent.get(`/orders/${unknown}`).expect(404)
      await agent.get(`/orders/${unknown}/rest`).expect(404)
      await agent.post(`/orders/${unknown}/ton-connect`).send({ sender, asset: 'TON' }).expect(404)
    }
    await agent.post(tonConnect).send({ sender: 'x', asset: 'TON' }).expect(400)
    await agent.post(tonConnect).send({ sender, asset: 'DOGE' }).expect(400)
    await agent.post(tonConnect).expect(400)
    const { body } = await agent.get('/health').expect(200)
    expect(body).toMatchObject({ status: 'up' })
  })

  test.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de', 'ltr'],
    ['en;q=0.2, ar-EG;q=0.9', 'ar', 'rtl'],
    ['fr, zh-CN;q=0.5, es;q=0.4', 'zh', 'ltr'],
    ['ru;q=0, *', 'en', 'ltr'],
    ['fr', 'en', 'ltr'],
    ['', 'en', 'ltr'],
  ])('chooses the language for %j: %s, %s', async (accepted, language, direction) => {
    const { headers, text } = await request(shop.url)
      .get('/')
      .set('accept-language', accepted)
      .expect(200)
    expect(text).toContain(`<html lang="${language}" dir="${direction}">`)
    expect(text).not.toMatch(/\{\{|undefined/)
    expect(headers).toMatchObject({
      'content-language': language,
      vary: expect.stringMatching(/accept-language/i),
    })
  })

  test('serves the page and its libraries from its own files', async () => {
    const agent = request(shop.url)
    const page = await agent.get('/').expect(200).expect('content-type', /html/)
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'self'; style-src/)
    expect(page.text).not.toMatch(/https?:/)
    await agent
      .get('/vendor/qr.js')
      .expect(200)
      .expect('content-type', /javascript/)
    await agent
      .get('/vendor/tonconnect-ui.js')
      .expect(200)
      .expect('content-type', /javascript/)
    await agent
      .get('/vendor/wallet-requests.js')
      .expect(200)
      .expect('content-type', /javascript/)
    const manifest = { url: shop.url, name: 'Harbour Goods', iconUrl: `${shop.url}/icon.png` }
    await agent.get('/tonconnect-manifest.json').expect(manifest)
  })

  test('posts the decision about each payment', async () => {
    const decisions: unknown[] = []
    const page = createServer((incoming, response) => {
      void json(incoming).then((decision) => {
        decisions.push(decision)
        response.end()
      })
    })
    await once(page.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => void page.close())
    // A server on a port has no other kind of address.
    const { port } = page.address() as AddressInfo
    const reporting = await openShop(server, { decisionsUrl: `http://127.0.0.1:${port}/decisions` })
    onTestFinished(() => reporting.close())
    const { reference, link } = await createOrder(reporting)
    await payLink(reporting, link)
    // The second source may already have reported the payment, too.
    const paid = expect.objectContaining({ kind: 'paid', reference })
    await expect.poll(() => decisions).toContainEqual(paid)
  })
})
