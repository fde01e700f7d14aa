import type { Reconciler } from '@tonplug/core'
import { getReconcilerToken } from '@tonplug/nestjs'
import { expect, test } from 'vitest'
import { servePayments } from '../../../packages/core/test/chain/served-payments.js'
import { ORDERS } from '../src/orders/orders.module.js'
import type { ShopOrders } from '../src/orders/shop-order.js'
import { startShop } from './harness.js'

test('S49 a payment is found on the chain, proven and shipped whose webhook was dropped', async () => {
  const nowMs = Date.now()
  const payments = await servePayments(Math.floor(nowMs / 1000))
  const shop = await startShop({
    wallet: payments.recipient,
    chain: { baseUrl: payments.url },
    apiKey: 'key',
  })
  const { reference } = await shop.buy('late-shift')
  const orders = shop.app.get<ShopOrders>(ORDERS, { strict: false })
  const [order] = orders.all()
  if (order !== undefined) orders.add({ ...order, createdAt: new Date(nowMs - 600_000) })
  await payments.pay(5_250_000_000n, reference)

  const reconciler = shop.app.get<Reconciler>(getReconcilerToken(), { strict: false })
  expect(await reconciler.run()).toMatchObject({ decisions: { verifying: 1 } })

  await expect
    .poll(() => shop.view(reference), { timeout: 20_000 })
    .toMatchObject({ status: 'completed', shipments: [{ reference }] })
})
