import { randomBytes, randomUUID } from 'node:crypto'
import { createPaymentProof } from '@tonplug/core'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import type { Queryable } from '@tonplug/postgres'
import { createShop } from './shop/shop.js'
import { listen } from './shop/listen.js'
import { openStores } from './shop/stores.js'
import { type DeliveryReport, createTestLogger } from '@tonplug/testing'
import { type ChainPayment, startSimulator } from '@tonplug/simulator'
import { buy } from './buy.js'
import { describeOnChain } from './describe-on-chain.js'
import { offsetClock } from './offset-clock.js'
import { describeOrder, type Outcome, tally } from './outcome.js'
import { waitUntilDone, recordShop } from './record-shop.js'

/** A simulated chain, a gateway that watches it, and a shop that proves every payment on the chain; for one row. */
export interface ShopWithChain {
  /** Creates a transfer at the gateway, as the page does. Returns the order's reference. */
  buy(product: string): Promise<string>
  /** Pays from the buyer's wallet on the chain. Resolves when the webhook has a response, or at once without a webhook. */
  pay(reference: string, how?: Pick<ChainPayment, 'delivery'>): Promise<void>
  /** Signs and delivers the webhook of a payment that does not exist. */
  deliverUnpaid(reference: string): Promise<void>
  /** Moves the shop's clock forward. */
  advanceClock(ms: number): void
  /** Runs the shop's payment watcher once. */
  runWatcher(): Promise<void>
  /** Waits for proofs and handlers. Returns the outcome of the order. */
  observe(reference: string): Promise<Outcome>
  close(): Promise<void>
}

/** Starts a chain and a shop for one row. */
export async function startShopWithChain(db: Queryable): Promise<ShopWithChain> {
  const secret = `whsec_${randomBytes(24).toString('hex')}`
  let url = ''
  const simulator = await startSimulator({ url: () => `${url}/webhooks/ton`, secret })
  const { gateway, merchant, urls } = simulator
  const v3 = createV3Client({
    transport: createTransport({ baseUrl: urls.chain, rps: Infinity }),
  })
  const { clock, advanceClock } = offsetClock()
  const stores = await openStores(db, { clock, name: randomUUID() })
  const shop = createShop({
    secret,
    stores,
    clock,
    logger: createTestLogger(),
    wallets: [merchant.address.toString()],
    verifyOnChain: createPaymentProof({ v3 }),
    v3,
    createTransfer: async ({ rawAmount, asset }) => gateway.createTransfer({ rawAmount, asset }),
  })
  // The watcher looks when it starts, and then after a minute.
  await shop.watcher?.lookNow()
  const recorded = recordShop(shop)
  const server = await listen(shop, 0)
  url = server.url
  const answers: (number | string)[] = []
  const record = ({ attempts }: DeliveryReport): void => {
    answers.push(...attempts.map(({ status }) => status ?? 'no answer'))
  }

  return {
    buy: (product) => buy(url, product),
    async pay(reference, how) {
      const { report } = await simulator.pay(reference, how)
      record(report)
    },
    async deliverUnpaid(reference) {
      // Called directly, the gateway does not read the chain and generates the hashes.
      record(await gateway.pay(reference))
    },
    advanceClock,
    async runWatcher() {
      await shop.watcher?.run()
    },
    async observe(reference) {
      await waitUntilDone(stores.inbox, shop.payments.name)
      await shop.payments.close()
      const order = await describeOrder(stores, reference)
      return {
        answers: tally(answers),
        decisions: tally(recorded.decisions()),
        order: `${order}, ${await describeOnChain({ stores, v3 }, reference)}`,
        handlers: tally(recorded.handlers),
      }
    },
    async close() {
      await server.close()
      await simulator.close()
    },
  }
}
