import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
import type { DecisionEvent, Order, OrderKey, OrderRepository, SecretResolver } from '@tonplug/core'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import type { Express } from './support/express-versions.js'
import { listen } from './support/listen.js'
import { deliver } from './support/shop.js'

const SECRETS: Record<string, string> = { a: 'whsec_merchant_a', b: 'whsec_merchant_b' }

/** Reads the merchant from the path of the route. */
const secretsOf: SecretResolver = ({ url }) => {
  const merchant = url?.split('/').at(-1) ?? ''
  const secret = SECRETS[merchant]
  if (secret === undefined) throw new Error(`unknown merchant ${merchant}`)
  return { merchant, secrets: secret }
}

async function startMarketplace(express: Express, keys: OrderKey[], given?: OrderRepository) {
  const orders = memoryOrderRepository<Order>(
    keys.map((key) => ({ ...key, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' })),
  )
  const paid: string[] = []
  const decisions: DecisionEvent[] = []
  const payments = createPayments({
    orders: given ?? orders,
    logger: createTestLogger(),
    onPaid: ({ order }, { merchant, idempotencyKey }) => {
      paid.push(`${merchant} ${order.reference} ${idempotencyKey}`)
    },
  })
  payments.onDecision((event) => decisions.push(event))
  const receiver = createWebhookReceiver({ payments, secrets: secretsOf })
  const app = express().post('/webhooks/ton/:merchant', tonplugWebhook(receiver))
  const { url } = await listen(app)
  onTestFinished(async () => {
    await receiver.close()
    await payments.close()
  })
  return {
    payments,
    paid,
    decided: () => decisions.map(({ merchant, decision }) => `${merchant} ${decision.kind}`),
    statuses: () => orders.all().map(({ merchant, status }) => `${merchant} ${status}`),
    /** Sends a payment of `order-1` to one merchant's path, optionally signed by another merchant. */
    pay: async (merchant: string, signedBy = merchant) => {
      const delivery = signPayload(transferCompleted(), SECRETS[signedBy] ?? 'whsec_unknown')
      return (await deliver(`${url}/webhooks/ton/${merchant}`, delivery)).status
    },
  }
}

describe.each(expressVersions)('two merchants on one route, %s', (_version, express) => {
  it("S65 a merchant's report never affects the order of another", async () => {
    const shop = await startMarketplace(express, [{ merchant: 'b', reference: 'order-1' }])
    expect(await shop.pay('a')).toBe(200)
    expect(shop.decided()).toEqual(['a unknown_order'])
    expect(shop.statuses()).toEqual(['b pending'])
    expect(await shop.pay('b', 'a')).toBe(401)
    expect(shop.statuses()).toEqual(['b pending'])
    expect(await shop.pay('b')).toBe(200)
    expect(shop.decided()).toEqual(['a unknown_order', 'b paid'])
    expect(shop.statuses()).toEqual(['b completed'])
    await expect.poll(() => shop.paid).toHaveLength(1)
    expect(shop.paid[0]).toMatch(/^b order-1 /)
  })

  it('S66 an equal reference and transaction pays one order of each', async () => {
    const shop = await startMarketplace(express, [
      { merchant: 'a', reference: 'order-1' },
      { merchant: 'b', reference: 'order-1' },
    ])
    expect(await shop.pay('a')).toBe(200)
    expect(shop.statuses()).toEqual(['a completed', 'b pending'])
    expect(await shop.pay('b')).toBe(200)
    expect(await shop.pay('b')).toBe(200)
    expect(shop.decided()).toEqual(['a paid', 'b paid', 'b duplicate'])
    await expect.poll(() => shop.paid).toHaveLength(2)
    expect(shop.paid.map((line) => line.split(' ')[0])).toEqual(['a', 'b'])
    expect(new Set(shop.paid.map((line) => line.split(' ')[2])).size).toBe(2)
  })

  it('S65 responds with 503 when the repository ignores merchants', async () => {
    const orders = memoryOrderRepository([
      { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
    ])
    const forOneMerchant: OrderRepository = {
      find: ({ reference }) => orders.find({ reference }),
      complete: ({ reference }, payment) => orders.complete({ reference }, payment),
      fail: ({ reference }, failure) => orders.fail({ reference }, failure),
      listOpen: (query) => orders.listOpen(query),
    }
    const shop = await startMarketplace(express, [], forOneMerchant)
    expect(await shop.pay('a')).toBe(503)
    expect((await orders.find({ reference: 'order-1' }))?.status).toBe('pending')
  })

  it('S8 responds with 503 when the resolver throws', async () => {
    const shop = await startMarketplace(express, [])
    expect(await shop.pay('unknown')).toBe(503)
    expect(shop.decided()).toEqual([])
  })
})
