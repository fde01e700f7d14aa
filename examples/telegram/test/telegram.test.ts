import { beginCell, external } from '@ton/core'
import { createWalletRequests, type ShownPayment } from '@tonplug/core/checkout'
import { messageCell, type PaymentRequest } from '@tonplug/simulator'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startShop, type TestOrder, type TestShop } from './harness.js'

const [BUYER, STRANGER] = [1001, 2002]
const PAID = 'Postcard, 0.25 TON: paid. Thank you!'
const HOUR_MS = 3_600_000
const ITEMS = [{ name: 'SendTransaction', maxMessages: 4, itemTypes: ['ton'] }]

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(async () => {
  await shop.stop()
})

/** Returns the invoice that the page receives. */
async function invoiceOf({ reference }: TestOrder, user = BUYER) {
  const response = await shop.call(reference, shop.telegram.initData(user))
  // The response of the shop.
  return (await response.json()) as ShownPayment & { reference: string; link: string }
}

/** Pays as the page does in a wallet that builds transfers itself. Returns the message that the wallet has sent. */
async function payByItems(order: TestOrder): Promise<string> {
  const requests = createWalletRequests({
    reference: order.reference,
    payment: await invoiceOf(order),
    messagesFor: () => Promise.reject(new Error('the wallet builds items')),
    confirmUnprotected: () => true,
  })
  const address = shop.buyer.address.toRawString()
  const { inMessage } = await requests.pay({ address, features: ITEMS }, (request) => {
    expect(request).toMatchObject({ network: '-3', items: [{ type: 'ton', amount: '250000000' }] })
    return shop.buyer.pay(request as PaymentRequest)
  })
  return inMessage!.toBoc().toString('base64')
}

/** Reads the first status that the page receives. */
async function statusOf({ reference }: TestOrder): Promise<string> {
  const tab = new AbortController()
  const response = await fetch(`${shop.url}/orders/${reference}/events`, { signal: tab.signal })
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const [, status] = /"status":"(\w+)"/.exec(text) ?? []
    if (status === undefined) continue
    tab.abort()
    return status
  }
  throw new Error('the stream has ended')
}

/** Reports a message as the page does. */
async function report({ reference }: TestOrder, boc: string): Promise<number> {
  const initData = shop.telegram.initData(BUYER)
  return (await shop.call(reference, initData, '/sent', { boc })).status
}

test('S154 opens no order with data that are forged, changed, of another bot, or old', async () => {
  const { reference } = await shop.buy(BUYER)
  const { telegram } = shop
  const authDate = (ageMs: number) => ({ authDate: new Date(Date.now() - ageMs) })
  const valid = telegram.initData(BUYER, authDate(HOUR_MS - 60_000))
  const refused = {
    none: '',
    forged: valid.replace(/hash=.*/, `hash=${'0'.repeat(64)}`),
    changed: telegram.initData(STRANGER).replace(String(STRANGER), String(BUYER)),
    'of another bot': telegram.initData(BUYER, { token: '1:another' }),
    old: telegram.initData(BUYER, authDate(HOUR_MS + 60_000)),
    'of the future': telegram.initData(BUYER, authDate(-120_000)),
  }
  for (const [name, initData] of Object.entries(refused)) {
    for (const [route, body] of [
      ['', undefined],
      ['/ton-connect', {}],
      ['/sent', {}],
    ] as const) {
      const { status } = await shop.call(reference, initData, route, body)
      expect([name, route, status]).toEqual([name, route, 401])
    }
  }
  expect((await shop.call(reference, valid)).status).toBe(200)
})

test('opens no order of another user, and the same order for replayed data', async () => {
  const order = await shop.buy(BUYER)
  const { reference } = order
  const sender = shop.buyer.address.toRawString()
  const foreign = shop.telegram.initData(STRANGER)
  for (const [route, body] of [
    ['', undefined],
    ['/ton-connect', { sender }],
    ['/sent', {}],
  ] as const) {
    expect((await shop.call(reference, foreign, route, body)).status).toBe(404)
  }
  const replayed = shop.telegram.initData(BUYER)
  expect((await shop.call('unknown', replayed)).status).toBe(404)
  const { length } = shop.telegram.chat(BUYER)
  for (let time = 0; time < 3; time++) {
    expect(await (await shop.call(reference, replayed)).json()).toMatchObject({ reference })
  }
  expect(shop.telegram.chat(BUYER)).toHaveLength(length)
  expect(await statusOf(order)).toBe('waiting')
})

test('S152 is paid by items and by messages of TON Connect, and changes the message in the chat', async () => {
  const first = await shop.buy(BUYER)
  expect(await report(first, await payByItems(first))).toBe(202)
  await expect.poll(() => first.message).toMatchObject({ text: PAID, button: undefined })
  expect(await statusOf(first)).toBe('paid')

  const second = await shop.buy(BUYER)
  const sender = shop.buyer.address.toRawString()
  const initData = shop.telegram.initData(BUYER)
  const response = await shop.call(second.reference, initData, '/ton-connect', { sender })
  await shop.buyer.pay((await response.json()) as PaymentRequest)
  await expect.poll(() => second.message.text).toBe(PAID)
})

test('S106 pays no order for 1,000 forged, replayed or foreign messages', async () => {
  const [order, other] = [await shop.buy(BUYER), await shop.buy(BUYER)]
  const foreign = await payByItems(other)
  await expect.poll(() => other.message.text).toBe(PAID)
  const forged = (index: number): string => {
    const body = beginCell().storeUint(index, 64).endCell()
    const message = messageCell(external({ to: shop.buyer.address, body }))
    return message.toBoc().toString('base64')
  }
  for (let index = 0; index < 1000; index += 50) {
    const bocs = Array.from({ length: 50 }, (_, offset) =>
      offset % 5 === 0 ? foreign : forged(index + offset),
    )
    const statuses = await Promise.all(bocs.map((boc) => report(order, boc)))
    expect(new Set(statuses)).toEqual(new Set([202]))
  }
  expect(await report(order, 'no message')).toBe(400)

  // A later payment is found, so the reports were read.
  const last = await shop.buy(BUYER)
  await report(last, await payByItems(last))
  await expect.poll(() => last.message.text).toBe(PAID)
  expect(await statusOf(order)).toBe('waiting')
  expect(order.message.text).not.toBe(PAID)
})

test('tells the chat once although the handler is retried', async () => {
  const order = await shop.buy(BUYER)
  const { telegram } = shop
  let told = 0
  telegram.onText = ({ id, text }) => {
    if (id === order.message.id && text === PAID) told++
  }
  telegram.edits = 0
  telegram.faults.push('refused', 'lost')

  await shop.buyer.pay((await invoiceOf(order)).link)

  await expect.poll(() => telegram.edits).toBe(3)
  expect(told).toBe(1)
  expect(order.message).toMatchObject({ text: PAID, button: undefined })
})

test('S52 exits with 0 on SIGTERM', async () => {
  expect(await shop.stop()).toBe(0)
})
