import assert from 'node:assert/strict'
import type { DecisionKind, OrderStatus } from '@tonplug/core'
import { transferCompleted, transferFailed, transferRefunded } from '../payloads.js'
import { KEY, makeHash, makeOrder, RECIPIENT } from './order-fixtures.js'
import {
  assertAnswer,
  type Shop,
  type ShopOptions,
  until,
  type WebhookSuite,
} from './webhook-shop.js'

const JETTON = 'EQD0R6VTB7igd6WMo25bSD6Ne1l4PKGCdu9SJg-GFNHN3LFm'

const { reference, txHash, status, rawAmount, asset, recipientAddr } = transferCompleted().data
const MINIMAL = {
  event: 'transfer.completed',
  data: { reference, txHash, status, rawAmount, asset, recipientAddr, date: null },
}

interface Row {
  title: string
  options?: ShopOptions
  /** Prepares the order. */
  before?: (shop: Shop) => Promise<unknown> | void
  payload?: object
  /** The last decision. */
  decision: DecisionKind
  order: OrderStatus
}

const ROWS: readonly Row[] = [
  { title: 'S1 S37 a correct payment', decision: 'paid', order: 'completed' },
  {
    title: 'S43 a payment of an expired order',
    before: ({ orders }) => orders.expire(KEY),
    decision: 'paid',
    order: 'completed',
  },
  {
    title: 'S29 a payment after a failure',
    before: ({ post }) => post(transferFailed({ txHash: makeHash(2) })),
    decision: 'paid',
    order: 'completed',
  },
  {
    title: 'S25 an unknown reference',
    payload: transferCompleted({ reference: 'unknown' }),
    decision: 'unknown_order',
    order: 'pending',
  },
  {
    title: 'S11 S26 a repetition',
    before: ({ post }) => post(transferCompleted()),
    decision: 'duplicate',
    order: 'completed',
  },
  {
    title: 'S27 a failure after the payment',
    before: ({ post }) => post(transferCompleted()),
    payload: transferFailed({ txHash: makeHash(2) }),
    decision: 'duplicate',
    order: 'completed',
  },
  {
    title: 'S40 a second payment',
    before: ({ post }) => post(transferCompleted()),
    payload: transferCompleted({ txHash: makeHash(2) }),
    decision: 'extra_payment',
    order: 'completed',
  },
  {
    title: 'S113 a payment of an order that was settled in another way',
    before: ({ orders }) => orders.replace(makeOrder({ status: 'completed' })),
    decision: 'extra_payment',
    order: 'completed',
  },
  {
    title: 'S42 a payment of a cancelled order',
    before: ({ orders }) => orders.cancel(KEY),
    decision: 'paid_after_cancel',
    order: 'cancelled',
  },
  { title: 'S28 a failure', payload: transferFailed(), decision: 'failed', order: 'failed' },
  {
    title: 'S30 S74 an unknown status',
    payload: transferCompleted({ status: 'SUCCESS' }),
    decision: 'failed',
    order: 'failed',
  },
  {
    title: 'S73 an amount that is rounded for display',
    payload: transferCompleted({ amount: '10.49', rawAmount: '10500000000' }),
    decision: 'paid',
    order: 'completed',
  },
  {
    title: 'S72 a payload with the required fields only',
    payload: MINIMAL,
    decision: 'paid',
    order: 'completed',
  },
  {
    title: 'S31 an amount that is one base unit too low',
    payload: transferCompleted({ rawAmount: '10499999999', amount: '10.499999999' }),
    decision: 'amount_mismatch',
    order: 'pending',
  },
  {
    title: 'S31 an amount that is not a number',
    payload: transferCompleted({ rawAmount: '1e10' }),
    decision: 'amount_mismatch',
    order: 'pending',
  },
  {
    title: 'S33 another asset with the same ticker',
    payload: transferCompleted({ asset: JETTON, assetTicker: 'TON' }),
    decision: 'asset_mismatch',
    order: 'pending',
  },
  {
    title: 'S35 a payment to a wallet of someone else',
    options: { payments: { wallets: [JETTON] } },
    payload: transferCompleted({ recipientAddr: RECIPIENT }),
    decision: 'wallet_mismatch',
    order: 'pending',
  },
  {
    title: 'a payment that a rule of the shop rejects',
    options: { payments: { rules: [() => ({ reason: 'not today' })] } },
    decision: 'rejected',
    order: 'pending',
  },
]

/** Every decision about an order is acknowledged. */
export function describeDecisions(suite: WebhookSuite): void {
  const { describe, it, test, withShop } = suite
  it('adds the decision to the response if a signed delivery asks for it', () =>
    withShop({}, async ({ post }) => {
      const headers = { 'x-tonplug-explain': '1' }
      const half = transferCompleted({ rawAmount: '5250000000' })
      assertAnswer(await post(half, { headers, signature: 'sha256=nonsense' }), 401)
      assertAnswer(await post(half, { headers, secret: 'whsec_another' }), 401)
      const { status, body } = await post(half, { headers })
      assert.equal(status, 200)
      assert.match(body, /^{"ok":true,"decision":{.*"kind":"amount_mismatch"/)
      assertAnswer(await post(half), 200)
    }))
  describe('responds with 200 to', () => {
    for (const { title, options = {}, before, payload, decision, order } of ROWS) {
      it(title, () =>
        withShop(options, async (shop) => {
          await before?.(shop)
          assertAnswer(await shop.post(payload ?? transferCompleted()), 200)
          assert.equal(shop.decisions.at(-1), decision)
          assert.equal((await shop.orders.find(KEY))?.status, order)
        }),
      )
    }
    describeAcknowledged(suite)
  })
  describe('a payment', () => {
    test('S1 S37 runs onPaid with the completed order, after the response', async (shop) => {
      const { post, paid } = shop
      assertAnswer(await post(transferCompleted()), 200)
      await until('onPaid is called', () => paid.length > 0)
      assert.equal(paid.length, 1)
      assert.equal(paid[0]?.order.status, 'completed')
      assert.deepEqual(paid[0]?.transfer, transferCompleted().data)
    })
    it('S51 is acknowledged although its handler never returns', () =>
      withShop({ payments: { onPaid: () => new Promise(() => undefined) } }, async ({ post }) =>
        assertAnswer(await post(transferCompleted()), 200),
      ))
    it('S50 is acknowledged although its handler throws', () =>
      withShop(
        { payments: { onPaid: () => Promise.reject(new Error('no mail')) } },
        async (shop) => {
          assertAnswer(await shop.post(transferCompleted()), 200)
          assertAnswer(await shop.post(transferCompleted()), 200)
        },
      ))
  })
}

function describeAcknowledged({ it, withShop }: WebhookSuite): void {
  it('S24 S72 an unsupported event with `unsupportedEvent: acknowledge`, and stores it', () =>
    withShop({ receiver: { unsupportedEvent: 'acknowledge' } }, async (shop) => {
      assertAnswer(await shop.post(transferRefunded()), 200)
      assert.deepEqual(shop.calls, ['inbox.reports.store'])
      assert.equal((await shop.inbox.stats()).unreadable, 1)
    }))
  it('S11 a stale delivery with `staleDelivery: acknowledge`, and stores it', () => {
    const receiver = { maxAgeMs: 60_000, staleDelivery: 'acknowledge' } as const
    return withShop({ receiver }, async (shop) => {
      const payload = { ...transferCompleted(), timestamp: '2026-01-05T11:58:59.999Z' }
      assertAnswer(await shop.post(payload), 200)
      assert.deepEqual(shop.calls, ['inbox.reports.store'])
      assert.equal((await shop.inbox.stats()).unreadable, 1)
    })
  })
}
