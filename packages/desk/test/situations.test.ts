import type { PaymentStory, Session, TransferPage } from '@tonplug/desk'
import type { Order, PaymentsOptions, TransferData } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { openDesk, openShop, order, report, WALLET } from './shop.js'

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const JETTON = `0:${'0c'.repeat(32)}`
const HALF = { rawAmount: '3250000000', amount: '3.25' }
const usdt = { asset: USDT, rawAmount: '13000000', amount: '13000000' }

const MANIFEST = 'https://shop.example/tonconnect-manifest.json'
const BRIDGE = 'https://bridge.example/bridge'

type Case = [
  state: string,
  transfer: Partial<TransferData>,
  happened: RegExp,
  changes?: Partial<Order>,
  options?: Partial<PaymentsOptions>,
]

describe('the state of a payment', () => {
  it.each<Case>([
    ['paid', {}, /^10\.5 TON arrived from UQAL.*\. Order order-1 is paid\.$/],
    ['partly paid', HALF, /^3\.25 TON of 10\.5 TON arrived .* 7\.25 TON is missing\.$/],
    [
      'too much',
      { rawAmount: '11000000000', amount: '11' },
      /^11 TON arrived .* asks for 10\.5 TON\.$/,
    ],
    ['wrong coin', usdt, /^13 USDT arrived .* asks for 10\.5 TON\.$/],
    [
      'wrong coin',
      { ...usdt, rawAmount: '10500000000' },
      /^10500 USDT arrived .* asks for 10\.5 TON\.$/,
    ],
    ['wrong wallet', { recipientAddr: JETTON }, /^10\.5 TON for order order-1 was sent .* to UQAM/],
    ['paid after cancelling', {}, /had been cancelled\.$/, { status: 'cancelled' }],
    ['unknown order', { reference: 'x' }, /^10\.5 TON arrived .* for “x”, but the shop has no/],
    ['not sent', { status: 'failed' }, /did not succeed\. No money arrived\.$/],
    [
      'needs a decision',
      {},
      /^10\.5 TON arrived .* The shop does not accept it: no Fridays$/,
      {},
      { rules: [() => ({ reason: 'no Fridays' })] },
    ],
  ])(
    'is “%s” with a sentence in coins and friendly addresses',
    async (name, transfer, happened, changes, options) => {
      const { payments, orders } = openShop(options)
      orders.replace(order(changes))
      await report(payments, transfer)
      const { json } = openDesk(payments)
      const { transfers } = await json<TransferPage>('api/transfers')
      const reportId = transfers[0]?.reportId ?? ''
      const story = await json<PaymentStory>(`api/payment?reportId=${reportId}`)
      expect(story.situation.name).toBe(name)
      expect(story.situation.happened).toMatch(happened)
      expect(story.situation.happened).not.toMatch(/undefined|_|\d:[0-9a-f]{8}/)
      expect(transfers[0]?.situation.name).toBe(name)
      expect(story.situation.action).toBe(story.payments[0]?.actions[0])
    },
  )

  it('S129 is “paid twice” for the page of an order with two payments', async () => {
    const { payments } = openShop()
    await report(payments)
    await report(payments)
    const { json } = openDesk(payments)
    const { situation, payments: shown } = await json<PaymentStory>('api/payment?reference=order-1')
    expect(situation).toMatchObject({ name: 'paid twice', action: 'refund' })
    expect(shown.map((payment) => payment.situation.name)).toEqual(['paid twice', 'paid'])
  })

  it('S132 sums the parts of an order', async () => {
    const { payments } = openShop()
    await report(payments, HALF)
    await report(payments, { rawAmount: '2000000000', amount: '2' })
    const { json } = openDesk(payments)
    const { situation } = await json<PaymentStory>('api/payment?reference=order-1')
    expect(situation.happened).toMatch(
      /^2 TON of 10\.5 TON .* Together 5\.25 TON has arrived for the order\. 5\.25 TON is missing\.$/,
    )
  })

  it('S114 counts a payment once that two sources have announced', async () => {
    const { payments } = openShop()
    const { txHash } = await report(payments)
    const { createTransferReport } = await import('@tonplug/core')
    const { date, ...transfer } = JSON.parse(
      (await payments.internals.inbox.reports.list({ limit: 1 }))[0]?.rawBody ?? '',
    ).data as TransferData
    await payments.submit(createTransferReport({ ...transfer, date }, { source: 'gateway' }))
    const { json } = openDesk(payments)
    const { payments: shown } = await json<PaymentStory>('api/payment?reference=order-1')
    expect(shown).toHaveLength(1)
    expect(shown[0]).toMatchObject({ txHash, reportIds: [expect.any(String), expect.any(String)] })
  })

  it('names the jettons of the shop, and an unknown one in words', async () => {
    const { payments } = openShop()
    await report(payments, { asset: JETTON, rawAmount: '1250', amount: '1250' })
    const happenedWith = async (
      jettons?: { asset: string; ticker: string; decimals: number }[],
    ) => {
      const { json } = openDesk(payments, { jettons })
      const story = await json<PaymentStory>('api/payment?reference=order-1')
      return story.situation.happened
    }
    expect(await happenedWith()).toMatch(/^an amount of an unknown coin arrived/i)
    const coin = { asset: JETTON, ticker: 'SCALE', decimals: 3 }
    expect(await happenedWith([coin])).toMatch(/^1\.25 SCALE arrived/)
  })

  it('is that of the order when no money has arrived', async () => {
    const { payments, orders } = openShop()
    const { json } = openDesk(payments)
    const read = async () => (await json<PaymentStory>('api/payment?reference=order-1')).situation
    expect(await read()).toMatchObject({
      name: 'waiting',
      happened: expect.stringContaining('10.5 TON'),
    })
    orders.replace(order({ status: 'expired' }))
    expect(await read()).toMatchObject({ name: 'expired' })
  })
})

describe('actions of the desk', () => {
  it('S133 accept the received amount with a reason, and are not offered again', async () => {
    const { payments, stock, clock } = openShop()
    await report(payments, HALF)
    const { json, post } = openDesk(payments, { actions: true })
    const before = await json<PaymentStory>('api/payment?reference=order-1')
    expect(before.payments[0]?.actions).toContain('accept')
    const reportId = before.payments[0]?.reportId
    expect((await post('accept', { reportId })).status).toBe(400)
    const response = await post('accept', { reportId, reason: 'good customer' })
    expect(await response.json()).toMatchObject({ isSuccess: true, state: 'paid' })
    await clock.advance(1000)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
    const after = await json<PaymentStory>('api/payment?reference=order-1')
    expect(after.payments.flatMap(({ actions }) => actions)).toEqual([])
    expect(after.situation.name).toBe('paid')
    expect(after.timeline).toContainEqual(
      expect.objectContaining({ by: 'ann@shop.example', reason: 'good customer' }),
    )
  })

  it('S133 accept all payments of an order together', async () => {
    const { payments, stock, clock } = openShop()
    await report(payments, HALF)
    await report(payments, { rawAmount: '7250000000', amount: '7.25' })
    const { json, post } = openDesk(payments, { actions: true })
    const before = await json<PaymentStory>('api/payment?reference=order-1')
    expect(before.payments.map(({ isOneOfSeveral }) => isOneOfSeveral)).toEqual([true, true])
    const body = { reference: 'order-1', merchant: '', reason: 'both parts arrived' }
    const response = await post('accept', body)
    expect(await response.json()).toMatchObject({ isSuccess: true, state: 'paid' })
    await clock.advance(1000)
    await expect.poll(() => stock.shipped).toEqual(['order-1'])
    const after = await json<PaymentStory>('api/payment?reference=order-1')
    expect(after.payments.flatMap(({ actions }) => actions)).toEqual([])
  })

  it('suggest the open orders of the same amount and coin, nearest in time first', async () => {
    const { payments, orders } = openShop()
    const at = (hours: number) => new Date(Date.UTC(2026, 0, 5, 10) - hours * 3_600_000)
    orders.add(order({ reference: 'near', createdAt: at(1) }))
    orders.add(order({ reference: 'other coin', asset: USDT, createdAt: at(1) }))
    orders.add(order({ reference: 'other amount', rawAmount: 7n, createdAt: at(1) }))
    orders.add(order({ reference: 'paid', status: 'completed', createdAt: at(1) }))
    await report(payments, { reference: '' })
    const { json } = openDesk(payments)
    const { transfers } = await json<TransferPage>('api/transfers')
    const path = `api/suggestions?reportId=${transfers[0]?.reportId}`
    expect(await json(path)).toMatchObject({
      orders: [{ reference: 'near', amount: '10.5 TON' }, { reference: 'order-1' }],
    })
  })

  it('are not offered for an assigned payment, whose state names its order', async () => {
    const { payments } = openShop()
    const { txHash } = await report(payments, { reference: '' })
    const { json, post } = openDesk(payments, { actions: true })
    const { transfers } = await json<TransferPage>('api/transfers')
    await post('assign', { transactionHash: txHash, reference: 'order-1' })
    const path = `api/payment?reportId=${transfers[0]?.reportId}`
    const { situation, payments: shown } = await json<PaymentStory>(path)
    expect(situation).toMatchObject({
      name: 'settled',
      happened: expect.stringMatching(/order-1\.$/),
    })
    expect(shown[0]?.actions).toEqual([])
  })

  it('are offered and accepted only if authorize returns them', async () => {
    const { payments } = openShop()
    await report(payments, HALF)
    const authorize = () => ({ operator: 'bob', may: ['assign'] as const })
    const { json, post } = openDesk(payments, { actions: true, authorize })
    expect((await json<Session>('api/session')).actions).toEqual(['assign'])
    const statuses = await Promise.all(
      ['accept', 'refund', 'reprocess', 'retry', 'assign'].map(
        async (action) => (await post(action, {})).status,
      ),
    )
    expect(statuses).toEqual([403, 403, 403, 403, 400])
  })

  it('are rejected with 500 when authorize returns an unknown action', async () => {
    const { payments } = openShop()
    const authorize = () => ({ operator: 'bob', may: ['ship'] as never[] })
    const { get } = openDesk(payments, { authorize })
    expect((await get('api/session')).status).toBe(500)
    expect(() => openDesk(payments, { jettons: [{ asset: WALLET } as never] })).toThrow('jettons')
  })

  it.each([
    ['a manifest without https', { manifestUrl: 'http://shop.example/m.json', bridges: [BRIDGE] }],
    ['no bridge', { manifestUrl: MANIFEST, bridges: [] }],
    ['an invalid bridge', { manifestUrl: MANIFEST, bridges: ['https: ; script-src *'] }],
  ])('reject TON Connect with %s', (_what, tonConnect) => {
    const { payments } = openShop()
    expect(() => openDesk(payments, { tonConnect })).toThrow('tonConnect')
  })

  it('allow the page to connect to the bridges of TON Connect alone', async () => {
    const { payments } = openShop()
    const tonConnect = { manifestUrl: MANIFEST, bridges: [BRIDGE, `${BRIDGE}/2`] }
    const { get } = openDesk(payments, { tonConnect })
    const policy = (await get('')).headers.get('content-security-policy')
    expect(policy).toMatch(/connect-src 'self' https:\/\/bridge\.example$/)
    expect((await get('api/session')).headers.get('content-security-policy')).toMatch(/'self'$/)
  })
})
