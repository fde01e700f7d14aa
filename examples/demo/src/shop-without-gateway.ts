import { randomUUID } from 'node:crypto'
import {
  createInvoice,
  createPayments,
  createPaymentWatcher,
  systemClock,
  type Invoice,
} from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import type { PostgresOrder, Queryable } from '@tonplug/postgres'
import { createChainSimulator, type SimulatedWallet } from '@tonplug/simulator'
import { createTestLogger } from '@tonplug/testing'
import { describeOrder, type Outcome, tally } from './outcome.js'
import { waitUntilDone, recordShop } from './record-shop.js'
import { openStores } from './shop/stores.js'

/** A simulated chain, and a shop that has only a wallet address; for one row. */
export interface ShopWithoutGateway {
  /** Creates an invoice and stores its order. */
  sell(coin: 'TON' | 'USDT', amount: string): Promise<Invoice>
  /** A wallet with coins and USDT. */
  readonly buyer: SimulatedWallet
  /** Runs the payment watcher, and waits for the handlers. Returns the outcome of the order. */
  observe(reference: string): Promise<Outcome>
  close(): Promise<void>
}

/** Starts a chain and a shop for one row. */
export async function startShopWithoutGateway(db: Queryable): Promise<ShopWithoutGateway> {
  const chain = await createChainSimulator()
  const [merchant, buyer, usdt] = [
    await chain.createWallet(),
    await chain.createWallet(),
    await chain.deployJetton(),
  ]
  await usdt.mint(buyer.address, 1_000_000_000n)
  const wallet = merchant.address.toString({ bounceable: false })
  const v3 = createV3Client({ baseUrl: chain.url, rps: Infinity })

  const { orders, inbox, shipping } = await openStores(db, {
    clock: systemClock,
    name: randomUUID(),
  })
  const payments = createPayments<PostgresOrder>({
    name: orders.name,
    orders,
    inbox,
    wallets: [wallet],
    logger: createTestLogger(),
    onPaid: ({ order }, { idempotencyKey }) => shipping.ship(order.reference, idempotencyKey),
  })
  const watcher = createPaymentWatcher({ payments, v3 })
  const recorded = recordShop({ payments })

  return {
    buyer,
    async sell(coin, amount) {
      const asset = coin === 'TON' ? 'TON' : usdt.master.toString()
      const invoice = await createInvoice({ wallet, asset, amount, v3 })
      await orders.create({ ...invoice.order, data: null })
      return invoice
    },
    async observe(reference) {
      await watcher.run()
      await waitUntilDone(inbox, payments.name)
      return {
        answers: 'none',
        decisions: tally(recorded.decisions()),
        order: await describeOrder({ orders, shipping }, reference),
        handlers: tally(recorded.handlers),
      }
    },
    async close() {
      await watcher.close()
      await payments.close()
      await chain.close()
    },
  }
}
