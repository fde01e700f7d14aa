import assert from 'node:assert/strict'
import type { Offer, Order } from '@tonplug/core'
import {
  assertFields,
  BODY_HASH,
  findOrder,
  KEY,
  listOpen,
  makeOrder,
  makePayment,
  minute,
} from './order-fixtures.js'
import type { OrderSuite } from './order-harness.js'

const JETTON = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'

const OFFERS: readonly Offer[] = [
  {
    rawAmount: 2_390_057_361n,
    asset: 'TON',
    decimals: 9,
    rate: {
      price: '5.230000000000000000001',
      currency: 'USD',
      at: new Date('2026-01-05T11:59:58.765Z'),
      source: 'the shop',
      orderPrice: '12.50',
    },
    expiresAt: minute(15),
  },
  { rawAmount: 2n ** 120n + 1n, asset: JETTON },
]

/** Orders with several offers instead of an amount and an asset. */
export function describeOffers({ describe, offersTest: test }: OrderSuite): void {
  describe('offers', () => {
    test('S127 returns the offers of an order, to the digit and the millisecond', async (harness) => {
      const { repository, insert } = harness
      const order = makeOffered()
      await insert(order)
      const found = await findOrder(repository)
      assertFields(found, order)
      assertOffers(found)
      const [open] = await listOpen(repository)
      assert.ok(open, 'listOpen returns the order')
      assertOffers(open)
    })
    test('S127 returns no offers for an order with an amount and an asset', async (harness) => {
      const { repository, insert } = harness
      await insert(makeOrder())
      await insert(makeOffered({ reference: 'order-2' }))
      assert.equal((await findOrder(repository)).offers ?? null, null)
    })
    test('S127 returns offers that JSON.stringify accepts', async ({ repository, insert }) => {
      await insert(makeOffered())
      const { offers } = await findOrder(repository)
      const text = JSON.stringify(offers)
      assert.ok(text.includes(`"${2n ** 120n + 1n}"`), 'amounts are decimal strings')
    })
    test('S127 stores the offer of a payment', async ({ repository, insert }) => {
      await insert(makeOffered())
      const rate = {
        price: '5.230000000000000000001',
        currency: 'USD',
        at: '2026-01-05T11:59:58.765Z',
        orderPrice: '12.50',
      }
      const offer = { rawAmount: '2390057361', asset: 'TON', rate }
      const payment = makePayment({ rawAmount: 2_390_057_361n, offer, surplus: '7' })
      assert.equal(await repository.complete(KEY, payment), 'applied')
      const found = await findOrder(repository)
      assert.deepEqual(found.payment?.offer, offer)
      assert.equal(found.payment.surplus, '7')
      assertOffers(found)
    })
  })
}

function makeOffered(changes: Partial<Order> = {}): Order {
  const offered = { rawAmount: undefined, asset: undefined, offers: OFFERS, expiresAt: undefined }
  return makeOrder({ ...offered, bodyBase64Hash: BODY_HASH, ...changes })
}

/** An absent field may be null or undefined. */
function assertOffers({ offers, rawAmount, asset }: Order): void {
  assert.deepEqual([rawAmount ?? null, asset ?? null], [null, null])
  assert.deepEqual(offers?.map(fieldsOf), OFFERS.map(fieldsOf))
}

function fieldsOf({ rawAmount, asset, decimals, rate, expiresAt }: Offer): unknown {
  const { price, currency, at, source, orderPrice } = rate ?? {}
  const own = { rawAmount, asset, decimals: decimals ?? null, expiresAt: expiresAt ?? null }
  return { ...own, price, currency, at, source, orderPrice }
}
