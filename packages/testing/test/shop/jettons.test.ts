import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { expect, it } from 'vitest'

const coins = '1000000000'
const usdt = '2000000'
const reference = 'order-1'
const order: ShopEvent = {
  kind: 'order',
  atMs: 200_000,
  reference,
  rawAmount: coins,
  usdtAmount: usdt,
  isBound: false,
}

it.each<[string, Partial<Extract<ShopEvent, { kind: 'pay' }>>, string]>([
  ['coins', {}, 'onPaid'],
  ['the jetton', { rawAmount: usdt, jetton: 'usdt' }, 'onPaid'],
  ['another jetton', { rawAmount: usdt, jetton: 'other' }, 'onMismatch'],
])('S124 decides about an order with two offers that is paid in %s', async (_, paid, event) => {
  const { problems, trace } = await simulateShop({
    seed: 1,
    events: [
      order,
      {
        kind: 'pay',
        atMs: 210_000,
        payment: 'p1',
        reference,
        rawAmount: coins,
        times: 1,
        lagMs: 5000,
        ...paid,
      },
    ],
  })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes(`handler.${event}`))).toHaveLength(1)
})

it('S117 reports a second payment in a jetton whose reference two merchants have, after a restart', async () => {
  const jetton = 'usdt'
  const shop = 'second'
  const { problems } = await simulateShop({
    seed: 116,
    events: [
      { ...order, atMs: 26_364, shop },
      {
        kind: 'pay',
        atMs: 28_364,
        payment: 'p1',
        reference,
        rawAmount: usdt,
        times: 1,
        lagMs: 0,
        jetton,
      },
      { kind: 'kill', atMs: 75_849, process: 1, downMs: 55_964 },
      { ...order, shop, merchant: 'm-2' },
      {
        kind: 'pay',
        atMs: 382_196,
        payment: 'p2',
        reference,
        rawAmount: usdt,
        times: 2,
        lagMs: 0,
        jetton,
      },
      {
        kind: 'webhook',
        atMs: 384_196,
        payment: 'p2',
        process: 0,
        names: 'first',
        shop,
        merchant: 'm-2',
      },
    ],
  })
  expect(problems).toEqual([])
})

it.each([
  ['the gateway', ''],
  ['a merchant', 'm-1'],
])(
  'S114 reports a jetton that no order asks for once, when two webhooks of %s come minutes before the index shows it',
  async (_, merchant) => {
    const payment = 'p1'
    const webhook = { kind: 'webhook', atMs: 2000, payment, process: 0, merchant } as const
    const { problems, trace } = await simulateShop({
      seed: 700_155,
      events: [
        {
          kind: 'pay',
          atMs: 1000,
          payment,
          reference: 'nobody',
          rawAmount: usdt,
          times: 1,
          lagMs: 200_000,
          jetton: 'usdt',
        },
        { ...webhook, names: 'last' },
        { ...webhook, names: 'trace' },
        // Webhooks of merchants wait for an hour.
        { kind: 'index', atMs: 2 * 3_600_000, downMs: 1 },
      ],
    })
    expect(problems).toEqual([])
    expect(trace.filter((line) => line.includes('handler.onUnknownOrder'))).toHaveLength(1)
  },
)

it('S118 reports a jetton that no order asks for, and whose reference two merchants have', async () => {
  const { problems, trace } = await simulateShop({
    seed: 5_100_101,
    events: [
      order,
      { ...order, merchant: 'm-2' },
      {
        kind: 'pay',
        atMs: 210_000,
        payment: 'p1',
        reference,
        rawAmount: usdt,
        times: 1,
        lagMs: 0,
        jetton: 'other',
      },
    ],
  })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes('handler.onUnknownOrder'))).toHaveLength(1)
})

it('ignores a jetton whose order is placed fifty minutes after the payment', async () => {
  const { problems, trace } = await simulateShop({
    seed: 995_444_811,
    events: [
      {
        kind: 'pay',
        atMs: 171_877,
        payment: 'p1',
        reference,
        rawAmount: usdt,
        times: 1,
        lagMs: 0,
        jetton: 'usdt',
      },
      { kind: 'order', atMs: 3_173_100, reference, rawAmount: coins, isBound: false },
    ],
  })
  expect(problems).toEqual([])
  expect(trace.filter((line) => line.includes('handler.'))).toEqual([])
})

it("S116 reports a jetton of an unknown order once when a merchant's webhook names it before the watcher", async () => {
  const place = { shop: 'second', merchant: 'm-2' }
  const { problems } = await simulateShop({
    seed: 70_807_739,
    events: [
      { kind: 'two-sources', atMs: 0 },
      {
        kind: 'pay',
        atMs: 258_003,
        payment: 'p1',
        reference,
        rawAmount: usdt,
        times: 1,
        lagMs: 0,
        jetton: 'usdt',
      },
      { kind: 'webhook', atMs: 262_008, payment: 'p1', process: 0, names: 'trace', ...place },
      { ...order, ...place, atMs: 263_003, hasRecipient: true },
    ],
  })
  expect(problems).toEqual([])
})

it("S118 leaves a jetton whose reference two merchants have to the watcher, when a merchant's webhook is proven", async () => {
  const price = { rawAmount: '2000000000', usdtAmount: '4000000' }
  const { problems } = await simulateShop({
    seed: 4_001_508,
    events: [
      { kind: 'two-sources', atMs: 0 },
      { ...order, atMs: 159_270, isBound: true },
      { ...order, ...price, atMs: 283_794, merchant: 'm-2' },
      {
        kind: 'pay',
        atMs: 288_794,
        payment: 'p2-1',
        reference,
        rawAmount: usdt,
        times: 1,
        lagMs: 0,
        jetton: 'usdt',
      },
      {
        kind: 'webhook',
        atMs: 292_294,
        payment: 'p2-1',
        process: 0,
        names: 'last',
        merchant: 'm-2',
      },
      { kind: 'cancel', atMs: 554_536, reference, merchant: 'm-2' },
    ],
  })
  expect(problems).toEqual([])
})
