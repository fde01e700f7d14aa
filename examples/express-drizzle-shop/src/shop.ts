import {
  consoleLogger,
  createReconciler,
  createWebhookReceiver,
  type Logger,
  type Reconciler,
  type ReconcileReader,
  type WebhookReceiver,
} from '@tonplug/core'
import { postgresCursor } from '@tonplug/postgres'
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
  /** The wallet that is paid; any will do without it. */
  wallet?: string | undefined
  /** Where payments are looked for whose webhook never came; needs `wallet`. */
  v3?: ReconcileReader | undefined
  logger?: Logger | undefined
}

/** The whole shop, without a server. */
export interface Shop {
  app: Express
  receiver: WebhookReceiver<ShopOrder>
  reconciler: Reconciler | undefined
  /** Finishes what is running; the database is closed afterwards. */
  close(): Promise<void>
}

/** Puts the shop together. */
export function createShop(options: ShopOptions): Shop {
  const { database, secret, wallet, v3, logger = consoleLogger } = options
  const { db, pool } = database
  const orders = drizzleOrderRepository(db)
  const receiver = createWebhookReceiver<ShopOrder>({
    secrets: secret,
    orders,
    inbox: drizzleInbox(database),
    recipients: wallet === undefined ? undefined : [wallet],
    logger,
    // The same key again sends nothing. A real carrier is given the key with the order.
    async onPaid({ order: { reference } }, { idempotencyKey: key }) {
      await db.insert(parcels).values({ key, reference }).onConflictDoNothing()
    },
    // Beside `onPaid`.
    onLostWebhook({ order: { reference } }) {
      logger.warn('a payment was found whose webhook never came', { reference })
    },
  })
  const cursor = postgresCursor(pool)
  const reconciler = v3 && createReconciler({ receiver, orders, v3, cursor, logger })
  reconciler?.start()
  return {
    app: createApp(receiver, createOrderRoutes({ db, receiver })),
    receiver,
    reconciler,
    async close() {
      // It hands what it finds to the receiver, so it ends first.
      await reconciler?.close()
      await receiver.close()
    },
  }
}
