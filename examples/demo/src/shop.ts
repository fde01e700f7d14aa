import type { RequestListener } from 'node:http'
import {
  createPayments,
  createPaymentVerifier,
  createPaymentWatcher,
  createWebhookReceiver,
  type Clock,
  type Logger,
} from '@tonplug/core'
import type { V3Client } from '@tonplug/core/toncenter'
import { tonplugWebhook } from '@tonplug/express'
import {
  postgresInbox,
  postgresOrderRepository,
  type PostgresOrder,
  type Queryable,
} from '@tonplug/postgres'
import express from 'express'

/** The parts that a shop uses. */
export interface ShopOptions {
  db: Queryable
  v3: V3Client
  /** The wallet that receives the payments. */
  wallet: string
  /** The webhook secret of the gateway. */
  secret: string
  clock: Clock
  logger: Logger
}

/** A shop that ships a parcel for each paid order. */
export type Shop = Awaited<ReturnType<typeof createShop>>

/** Creates the shop and its table of parcels. */
export async function createShop({ db, v3, wallet, secret, ...options }: ShopOptions) {
  await db.query('CREATE TABLE parcels (key text PRIMARY KEY, reference text NOT NULL)')
  const inbox = postgresInbox(db)
  const orders = postgresOrderRepository(db)
  const payments = createPayments<PostgresOrder>({
    orders,
    inbox,
    wallets: [wallet],
    verifyOnChain: createPaymentVerifier({ v3 }),
    ...options,
    // A handler may run again after a crash: the same key ships nothing twice.
    onPaid: async ({ order }, { idempotencyKey }) => {
      await db.query('INSERT INTO parcels VALUES ($1, $2) ON CONFLICT DO NOTHING', [
        idempotencyKey,
        order.reference,
      ])
    },
  })
  const receiver = createWebhookReceiver({ payments, secrets: secret })
  const watcher = createPaymentWatcher({ payments, v3 })
  const app = express()
  app.post('/webhooks/ton', tonplugWebhook(receiver))

  return {
    handle: app as RequestListener,
    orders,
    inbox,
    payments,
    watcher,
    async close(): Promise<void> {
      await receiver.close()
      await watcher.close()
      await payments.close()
    },
  }
}
