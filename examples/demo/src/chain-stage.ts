import { randomBytes, randomUUID } from 'node:crypto'
import {
  createPaymentProof,
  createTransport,
  createV3Client,
  type ReconcileCursor,
} from '@tonplug/core'
import { createShop } from '@tonplug-examples/express-shop'
import { listen } from '@tonplug-examples/express-shop/listen'
import type { ShopStores } from '@tonplug-examples/express-shop/stores'
import { type DeliveryReport, recordingLogger } from '@tonplug/testing'
import { type ChainPayment, startSimulator } from '@tonplug/testing/simulator'
import { buy } from './buy.js'
import { describeOnChain } from './describe-on-chain.js'
import { movableClock } from './movable-clock.js'
import { describeOrder, type Outcome, tally } from './outcome.js'
import { untilDone, watchShop } from './watch-shop.js'

/** A simulated chain, a gateway that watches it, and a shop that believes nothing but the chain; for one row. */
export interface ChainStage {
  /** Has the gateway create a transfer, as the page does. Resolves with the order's reference. */
  buy(product: string): Promise<string>
  /** The buyer's wallet pays on the chain. Resolves when the webhook is answered, or when there is none. */
  pay(reference: string, how?: Pick<ChainPayment, 'delivery'>): Promise<void>
  /** Signs and delivers the webhook of a payment that nobody made. */
  lie(reference: string): Promise<void>
  /** Puts the shop's clock forward. */
  moveAhead(ms: number): void
  /** Has the shop look for payments whose webhook never came. */
  reconcile(): Promise<void>
  /** Waits for proofs and handlers, and tells what became of the order. */
  observe(reference: string): Promise<Outcome>
  close(): Promise<void>
}

/** Starts a chain and a shop of its own for a row. */
export async function createChainStage(stores: ShopStores): Promise<ChainStage> {
  const secret = `whsec_${randomBytes(24).toString('hex')}`
  const name = randomUUID()
  let url = ''
  const simulator = await startSimulator({ url: () => `${url}/webhooks/ton`, secret })
  const { gateway, merchant, urls } = simulator
  const v3 = createV3Client({
    transport: createTransport({ baseUrl: urls.chain, rps: Infinity }),
  })
  const { clock, moveAhead } = movableClock()
  const shop = createShop({
    secret,
    name,
    stores: { ...stores, cursor: forgetfulCursor },
    clock,
    logger: recordingLogger(),
    recipients: [merchant.address.toString()],
    verifyOnChain: createPaymentProof({ v3 }),
    v3,
    gateway: {
      createTransfer: async ({ rawAmount, asset, comment }) =>
        gateway.createTransfer({ rawAmount, asset, commentToRecipient: comment }),
    },
  })
  const counts = watchShop(shop)
  const server = await listen(shop, 0)
  url = server.url
  const answers: (number | string)[] = []
  const note = ({ attempts }: DeliveryReport): void => {
    answers.push(...attempts.map(({ status }) => status ?? 'no answer'))
  }

  return {
    buy: (product) => buy(url, product),
    async pay(reference, how) {
      const { report } = await simulator.pay(reference, how)
      note(report)
    },
    async lie(reference) {
      // Asked directly, the gateway looks at no chain and makes the hashes up.
      note(await gateway.pay(reference))
    },
    moveAhead,
    async reconcile() {
      await shop.reconciler?.run()
    },
    async observe(reference) {
      await untilDone(stores.inbox, name)
      await shop.receiver.close()
      const order = await describeOrder(stores, reference)
      return {
        answers: tally(answers),
        decisions: tally(counts.decisions()),
        order: `${order}, ${await describeOnChain({ stores, v3 }, reference)}`,
        // Those of one decision run side by side.
        handlers: tally(counts.handlers.toSorted()),
      }
    },
    async close() {
      await server.close()
      await simulator.close()
    },
  }
}

/** Rows share a database, and each has a chain of its own to go through. */
const forgetfulCursor: ReconcileCursor = {
  load: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
}
