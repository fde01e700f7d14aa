import {
  consoleLogger,
  createReconciler,
  createWebhookReceiver,
  systemClock,
  type Clock,
  type Logger,
  type PaymentProof,
  type Reconciler,
  type ReconcileReader,
  type WebhookReceiver,
} from '@tonplug/core'
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

/** How a shop is set up. */
export interface ShopOptions {
  /** The webhook secret of the merchant dashboard. */
  secret: string
  stores: ShopStores
  /** Tells shops apart that share a database. @default 'default' */
  name?: string | undefined
  /** Creates the transfers; a development gateway also brings its panel. @default unconnectedGateway */
  gateway?: PaymentGateway | undefined
  /** The wallets that are paid. @default undefined: any wallet will do */
  recipients?: readonly string[] | undefined
  /** Proves payments on the chain before they are shipped. @default undefined: the webhook's word is enough */
  verifyOnChain?: PaymentProof | undefined
  /** Where payments are looked for whose webhook never came; needs `recipients`. @default undefined: nowhere */
  v3?: ReconcileReader | undefined
  /** @default consoleLogger */
  logger?: Logger | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** A shop that is ready to listen. */
export interface Shop {
  app: Express
  receiver: WebhookReceiver<ShopOrder>
  reconciler: Reconciler | undefined
  /** Ends the live pages, refuses new webhooks and waits for what is running. */
  close(): Promise<void>
}

/** Builds the shop: the webhook receiver over its stores, and the application that serves both. */
export function createShop(options: ShopOptions): Shop {
  const { secret, stores, name, gateway = unconnectedGateway, v3 } = options
  const { logger = consoleLogger, clock = systemClock } = options
  const { orders, inbox, cursor, journal, shipping } = stores
  const viewOrder = createOrderView({
    orders,
    journal,
    shipping,
    simulations: isDevelopmentGateway(gateway) ? simulations : [],
  })
  const feed = createOrderFeed(viewOrder)
  const handlers = createHandlers({ journal, shipping, clock, feed, logger })
  const receiver = createWebhookReceiver<ShopOrder>({
    name,
    secrets: secret,
    orders,
    inbox,
    recipients: options.recipients,
    verifyOnChain: options.verifyOnChain,
    logger,
    clock,
    ...handlers,
  })
  const reconciler = v3 && createReconciler({ receiver, orders, v3, cursor, logger, clock })
  reconciler?.start()
  const unsubscribe = receiver.subscribe(({ transfer }) => feed.publish(transfer.reference))

  const placeOrder = createPlaceOrder({ gateway, orders, receiver, clock })
  const routes = [createOrderRoutes({ placeOrder, viewOrder, feed })]
  if (isDevelopmentGateway(gateway)) routes.push(createSimulationRoutes({ orders, gateway }))
  return {
    app: createApp({ receiver, routes, logger }),
    receiver,
    reconciler,
    async close() {
      unsubscribe()
      feed.close()
      // It hands what it finds to the receiver, so it ends first.
      await reconciler?.close()
      await receiver.close()
    },
  }
}
