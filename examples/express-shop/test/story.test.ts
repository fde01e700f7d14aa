import { createPaymentProof } from '@tonplug/core'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { createFakeClock } from '@tonplug/testing'
import { startSimulator, type Simulator } from '@tonplug/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEvents } from './event-stream.js'
import { SECRET, startShop, type ShopHarness } from './harness.js'

const MINUTE_MS = 60_000

/** Starts a shop with the gateway of a simulator; it proves payments on the simulated chain and finds lost ones there. */
async function openStory(): Promise<{ simulator: Simulator; shop: ShopHarness }> {
  const clock = createFakeClock()
  let url = ''
  const simulator = await startSimulator({
    url: () => `${url}/webhooks/ton`,
    secret: SECRET,
    clock,
  })
  onTestFinished(() => simulator.close())
  const { gateway, merchant, urls } = simulator
  const transport = createTransport({ baseUrl: urls.chain, rps: Infinity })
  const v3 = createV3Client({ transport })
  const shop = await startShop({
    clock,
    wallets: [merchant.address.toString()],
    verifyOnChain: createPaymentProof({ v3 }),
    v3,
    gateway: {
      createTransfer: async ({ rawAmount, asset, comment }) =>
        gateway.createTransfer({ rawAmount, asset, commentToRecipient: comment }),
    },
  })
  url = shop.url
  return { simulator, shop }
}

describe.each([
  ['TON', 'mug'],
  ['USDT', 'gift-box'],
])('an order in %s', (_, product) => {
  test('is paid by a contract, reported by the gateway, proven on the chain and shipped', async () => {
    const { simulator, shop } = await openStory()
    const { reference, status } = await shop.buy(product)
    expect(status).toBe('pending')
    const events = await openEvents(shop.url, reference)
    const { report } = await simulator.pay(reference)
    expect(report.isDelivered).toBe(true)
    const paid = await events.until(({ shipments }) => shipments.length > 0)
    const { txHash = '' } = simulator.gateway.transfer(reference)
    expect(paid).toMatchObject({
      status: 'completed',
      txHash: Buffer.from(txHash, 'base64').toString('hex'),
    })
    expect(await shop.stores.orders.find({ reference })).toMatchObject({
      status: 'completed',
    })
  })

  test('S49 is found on the chain and shipped when its webhook is lost', async () => {
    const { simulator, shop } = await openStory()
    // The next run begins a minute after the first one.
    await shop.clock.advance(0)
    const isFirstRunOver = () => shop.shop.watcher?.stats().lastRun !== undefined
    await expect.poll(isFirstRunOver, { timeout: 10_000 }).toBe(true)
    const { reference } = await shop.buy(product)
    const events = await openEvents(shop.url, reference)
    await simulator.pay(reference, { delivery: 'none' })
    expect(simulator.gateway.log()).toEqual([])
    await shop.clock.advance(MINUTE_MS + 1)
    expect(await events.until(({ shipments }) => shipments.length > 0)).toMatchObject({
      status: 'completed',
    })
    await shop.shop.close()
    expect(shop.logger.lines.map(({ message }) => message)).toContain('payment without a webhook')
  })
})
