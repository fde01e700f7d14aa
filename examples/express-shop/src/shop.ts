import {
  consoleLogger,
  createPayments,
  createPaymentWatcher,
  createWebhookReceiver,
  systemClock,
  type Clock,
  type Logger,
  type PaymentProof,
  type Payments,
  type PaymentWatcher,
  type WebhookReceiver,
} from '@tonplug/core'
import type { V3Client } from '@tonplug/core/toncenter'
import type { Express } from 'express'
import { createApp } from './app.js'
import { createHandlers } from './handlers.js'
import { createOrderFeed } from './order-feed.js'
import { createOrderRoutes } from './order-routes.js'
import { createOrderView } from './order-view.js'
import { isDevelopmentGateway, simulations, unconnectedGateway } from './payment-gateway.js'
import type { PaymentGateway } from './payment-gateway.js'
import { createPlaceOrder } from './place-order.js'
import type { ShopOrder } from './shop-order.js'
import { createSimulationRoutes } from './simulation-routes.js'
import type { ShopStores } from './stores.js'

/** Options of the shop. */
export interface ShopOptions {
  /** The webhook secret of the merchant dashboard. */
  secret: string
  stores: ShopStores
  /** Creates the transfers; a development gateway also enables the simulation panel. @default unconnectedGateway */
  gateway?: PaymentGateway | undefined
  /** The wallets that receive payments. @default undefined: any wallet is accepted */
  wallets?: readonly string[] | undefined
  /** Proves payments on the chain before they are shipped. @default undefined: signed webhooks are trusted */
  verifyOnChain?: PaymentProof | undefined
  /** Finds payments whose webhook was lost; requires `wallets`. @default undefined: no watcher */
  v3?: V3Client | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** A shop that is ready to listen. */
export interface Shop {
  app: Express
  payments: Payments<ShopOrder>
  receiver: WebhookReceiver
  watcher: PaymentWatcher | undefined
  /** Ends the live pages, rejects new webhooks and waits for running work. Close the database afterwards. */
  close(): Promise<void>
}

/** Creates the shop: payments on its stores, the webhook, the watcher, and the application that serves them. */
export function createShop(options: ShopOptions): Shop {
  const { secret, stores, gateway = unconnectedGateway, v3 } = options
  const { wallets, verifyOnChain, logger = consoleLogger, clock = systemClock } = options
  const { orders, inbox, cursor, journal, shipping } = stores
  const viewOrder = createOrderView({
    orders,
    journal,
    shipping,
    simulations: isDevelopmentGateway(gateway) ? simulations : [],
  })
  const feed = createOrderFeed(viewOrder)
  const payments = createPayments<ShopOrder>({
    name: orders.name,
    orders,
    inbox,
    wallets,
    verifyOnChain,
    logger,
    clock,
    ...createHandlers({ journal, shipping, clock, feed, logger }),
  })
  const receiver = createWebhookReceiver({ payments, secrets: secret })
  // Webhooks report most payments; the watcher finds those that they missed.
  const watcher = v3 && createPaymentWatcher({ payments, v3, cursor, minEveryMs: 60_000 })
  watcher?.start()
  const unsubscribe = payments.subscribe(({ transfer }) => feed.publish(transfer.reference))

  const placeOrder = createPlaceOrder({ gateway, orders, payments, clock })
  const routes = [createOrderRoutes({ placeOrder, viewOrder, feed })]
  if (isDevelopmentGateway(gateway)) routes.push(createSimulationRoutes({ orders, gateway }))
  return {
    app: createApp({ receiver, routes, logger }),
    payments,
    receiver,
    watcher,
    async close() {
      unsubscribe()
      feed.close()
      await receiver.close()
      await watcher?.close()
      await payments.close()
    },
  }
}
