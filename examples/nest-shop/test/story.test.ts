import type { Reconciler } from '@tonplug/core'
import { getReconcilerToken } from '@tonplug/nestjs'
import { startSimulator, type Simulator } from '@tonplug/testing/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ORDERS } from '../src/orders/orders.module.js'
import type { ShopOrders } from '../src/orders/shop-order.js'
import { PaymentGateway } from '../src/payments/payment-gateway.js'
import { SECRET, startShop, type ShopHarness } from './harness.js'

const PROVEN = { timeout: 20_000 }

/** The shop at the gateway of a simulator, whose chain proves its payments and is searched for lost ones. */
async function openStory(): Promise<{ simulator: Simulator; shop: ShopHarness }> {
  let url = ''
  const simulator = await startSimulator({ url: () => `${url}/webhooks/ton`, secret: SECRET })
  onTestFinished(() => simulator.close())
  const { gateway, merchant, urls } = simulator
  const shop = await startShop({
    wallet: merchant.address.toString(),
    chain: { baseUrl: urls.chain },
    apiKey: 'key',
  })
  url = shop.url
  // As the shop's own file says: in its place goes a call of the gateway.
  shop.app.get(PaymentGateway, { strict: false }).createTransfer = async (request) => {
    const { rawAmount, asset, comment } = request
    return gateway.createTransfer({ rawAmount, asset, commentToRecipient: comment })
  }
  return { simulator, shop }
}

describe.each([
  ['TON', 'late-shift'],
  ['USDT', 'half-caf'],
])('an order in %s', (_, product) => {
  test('is paid by a contract, told by the gateway, proven on the chain and shipped', async () => {
    const { simulator, shop } = await openStory()
    const { reference, status } = await shop.buy(product)
    expect(status).toBe('pending')
    const { report } = await simulator.pay(reference)
    expect(report.isDelivered).toBe(true)
    const { txHash = '' } = simulator.gateway.transfer(reference)
    await expect
      .poll(() => shop.view(reference), PROVEN)
      .toMatchObject({
        status: 'completed',
        shipments: [{ reference }],
        txHash: Buffer.from(txHash, 'base64').toString('hex'),
      })
  })

  test('S49 is found on the chain and shipped when its webhook is dropped', async () => {
    const { simulator, shop } = await openStory()
    const { reference } = await shop.buy(product)
    await simulator.pay(reference, { delivery: 'none' })
    expect(simulator.gateway.log()).toEqual([])

    const orders = shop.app.get<ShopOrders>(ORDERS, { strict: false })
    for (const order of orders.all()) {
      orders.add({ ...order, createdAt: new Date(Date.now() - 600_000) })
    }
    const reconciler = shop.app.get<Reconciler>(getReconcilerToken(), { strict: false })
    expect(await reconciler.run()).toMatchObject({ decisions: { verifying: 1 } })
    await expect
      .poll(() => shop.view(reference), PROVEN)
      .toMatchObject({ status: 'completed', shipments: [{ reference }] })
  })
})
