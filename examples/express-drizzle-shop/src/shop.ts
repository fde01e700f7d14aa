import { createWebhookReceiver, type Logger, type WebhookReceiver } from '@tonplug/core'
import type { Express } from 'express'
import { createApp } from './app.js'
import type { Database } from './database.js'
import { drizzleInbox } from './inbox.js'
import { drizzleOrderRepository, type ShopOrder } from './order-repository.js'
import { createOrderRoutes } from './order-routes.js'
import { parcels } from './schema.js'

/** What the shop is told from outside. */
export interface ShopOptions {
  database: Database
  /** The webhook secret of the merchant dashboard. */
  secret: string
  logger?: Logger | undefined
}

/** The whole shop, without a server. */
export interface Shop {
  app: Express
  receiver: WebhookReceiver<ShopOrder>
}

/** Puts the shop together. Its receiver is to be closed before its database. */
export function createShop({ database, secret, logger }: ShopOptions): Shop {
  const { db } = database
  const receiver = createWebhookReceiver<ShopOrder>({
    secrets: secret,
    orders: drizzleOrderRepository(db),
    inbox: drizzleInbox(database),
    logger,
    // The same key again sends nothing. A real carrier is given the key with the order.
    async onPaid({ order: { reference } }, { idempotencyKey: key }) {
      await db.insert(parcels).values({ key, reference }).onConflictDoNothing()
    },
  })
  return { app: createApp(receiver, createOrderRoutes({ db, receiver })), receiver }
}
