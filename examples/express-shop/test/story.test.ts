import { createPaymentProof, createTransport, createV3Client } from '@tonplug/core'
import { createManualClock } from '@tonplug/testing'
import { startSimulator, type Simulator } from '@tonplug/testing/simulator'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openEvents } from './event-stream.js'
import { SECRET, startShop, type ShopHarness } from './harness.js'

const MINUTE_MS = 60_000

/** The shop at the gateway of a simulator, whose chain proves its payments and is searched for lost ones. */
async function openStory(): Promise<{ simulator: Simulator; shop: ShopHarness }> {
  const clock = createManualClock()
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
    recipients: [merchant.address.toString()],
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
  test('is paid by a contract, told by the gateway, proven on the chain and shipped', async () => {
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
    expect(await shop.stores.orders.findByReference(reference)).toMatchObject({
      status: 'completed',
    })
  })

  test('S49 is found on the chain and shipped when its webhook is dropped', async () => {
    const { simulator, shop } = await openStory()
    const { reference } = await shop.buy(product)
    const events = await openEvents(shop.url, reference)
    await simulator.pay(reference, { delivery: 'none' })
    expect(simulator.gateway.log()).toEqual([])
    await shop.clock.advance(MINUTE_MS + 1)
    expect(await events.until(({ shipments }) => shipments.length > 0)).toMatchObject({
      status: 'completed',
    })
    await shop.shop.close()
    expect(shop.logger.lines.map(({ message }) => message)).toContain(
      'A payment was found whose webhook never came',
    )
  })
})
