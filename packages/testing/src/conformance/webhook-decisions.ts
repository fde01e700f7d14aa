import assert from 'node:assert/strict'
import type { DecisionKind, OrderStatus } from '@tonplug/core'
import { transferCompleted, transferFailed, transferRefunded } from '../payloads.js'
import { makeHash, RECIPIENT } from './order-fixtures.js'
import type { Suite } from './runner.js'
import type { WebhookAdapterHarness } from './webhook-adapter.js'
import { assertAnswer, type Shop, type ShopOptions, until, withShop } from './webhook-shop.js'

const JETTON = 'EQD0R6VTB7igd6WMo25bSD6Ne1l4PKGCdu9SJg-GFNHN3LFm'

interface Row {
  title: string
  options?: ShopOptions
  /** What happened to the order before. */
  before?: (shop: Shop) => Promise<unknown> | void
  payload?: object
  /** The last decision. */
  decision: DecisionKind
  order: OrderStatus
}

const ROWS: readonly Row[] = [
  { title: 'S1 S37 a payment that is right in all', decision: 'paid', order: 'completed' },
  {
    title: 'S43 a payment of an expired order',
    before: ({ orders }) => orders.expire('order-1'),
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
    decision: 'unmatched',
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
    title: 'S42 a payment of a cancelled order',
    before: ({ orders }) => orders.cancel('order-1'),
    decision: 'paid_after_cancel',
    order: 'cancelled',
  },
  { title: 'S28 a failure', payload: transferFailed(), decision: 'failed', order: 'failed' },
  {
    title: 'S30 a status that is not described',
    payload: transferCompleted({ status: 'SUCCESS' }),
    decision: 'unexpected_status',
    order: 'pending',
  },
  {
    title: 'S31 an amount that is one base unit low',
    payload: transferCompleted({ rawAmount: '10499999999', amount: '10.499999999' }),
    decision: 'amount_mismatch',
    order: 'pending',
  },
  {
    title: 'S31 an amount that is no number',
    payload: transferCompleted({ rawAmount: '1e10' }),
    decision: 'amount_mismatch',
    order: 'pending',
  },
  {
    title: 'S33 another asset with the ticker of the right one',
    payload: transferCompleted({ asset: JETTON, assetTicker: 'TON' }),
    decision: 'asset_mismatch',
    order: 'pending',
  },
  {
    title: 'S35 a payment to a wallet that is not ours',
    options: { recipients: [JETTON] },
    payload: transferCompleted({ recipientAddr: RECIPIENT }),
    decision: 'recipient_mismatch',
    order: 'pending',
  },
  {
    title: 'a payment that a rule of the shop rejects',
    options: { rules: [() => ({ reason: 'not today' })] },
    decision: 'rejected',
    order: 'pending',
  },
]

/** Whatever is decided about an order is acknowledged. */
export function describeDecisions({ makeHarness, runner }: Suite<WebhookAdapterHarness>): void {
  const { describe, it } = runner
  describe('answers 200 to', () => {
    for (const { title, options = {}, before, payload, decision, order } of ROWS) {
      it(`${title}: ${decision}`, () =>
        withShop(makeHarness, options, async (shop) => {
          await before?.(shop)
          assertAnswer(await shop.post(payload ?? transferCompleted()), 200)
          assert.equal(shop.decisions.at(-1), decision)
          assert.equal((await shop.orders.findByReference('order-1'))?.status, order)
        }))
    }
    describeAcknowledged({ makeHarness, runner })
  })
  describe('a payment', () => {
    it('S1 S37 runs onPaid with the completed order, after the answer', () =>
      withShop(makeHarness, {}, async ({ post, paid }) => {
        assertAnswer(await post(transferCompleted()), 200)
        await until('onPaid is called', () => paid.length > 0)
        assert.equal(paid.length, 1)
        assert.equal(paid[0]?.order.status, 'completed')
        assert.deepEqual(paid[0]?.transfer, transferCompleted().data)
      }))
    it('S51 is acknowledged although its handler never ends', () =>
      withShop(makeHarness, { onPaid: () => new Promise(() => undefined) }, async ({ post }) => {
        assertAnswer(await post(transferCompleted()), 200)
      }))
    it('S50 is acknowledged although its handler throws', () =>
      withShop(
        makeHarness,
        { onPaid: () => Promise.reject(new Error('no mail')) },
        async (shop) => {
          assertAnswer(await shop.post(transferCompleted()), 200)
          assertAnswer(await shop.post(transferCompleted()), 200)
        },
      ))
  })
}

function describeAcknowledged(suite: Suite<WebhookAdapterHarness>): void {
  const { makeHarness, runner } = suite
  runner.it('S24 an unsupported event, when it is to be acknowledged', () =>
    withShop(makeHarness, { unsupportedEvent: 'acknowledge' }, async ({ post, calls }) => {
      assertAnswer(await post(transferRefunded()), 200)
      assert.deepEqual(calls, [])
    }),
  )
  runner.it('S11 a stale delivery, when it is to be acknowledged', () =>
    withShop(makeHarness, { maxAgeMs: 60_000, staleDelivery: 'acknowledge' }, async (shop) => {
      const payload = { ...transferCompleted(), timestamp: '2026-01-05T11:58:59.999Z' }
      assertAnswer(await shop.post(payload), 200)
      assert.deepEqual(shop.calls, [])
    }),
  )
}
