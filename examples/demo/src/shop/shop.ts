import { randomUUID } from 'node:crypto'
import {
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
import { tonplugWebhook } from '@tonplug/express'
import type { PostgresOrder } from '@tonplug/postgres'
import express, { type Express } from 'express'
import type { ShopStores } from './stores.js'

/** The price of a product. */
interface Price {
  /** Base units. */
  rawAmount: bigint
  asset: string
}

/** Creates a transfer at the gateway. */
type CreateTransfer = (
  price: Price,
) => Promise<{ reference: string; bodyBase64Hash?: string | undefined }>

const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const PRICES = new Map<unknown, Price>([
  ['hoodie', { rawAmount: 10_500_000_000n, asset: 'TON' }],
  ['gift-box', { rawAmount: 25_000_000n, asset: USDT }],
])

/** Options of the shop. */
export interface ShopOptions {
  /** The webhook secret of the merchant dashboard. */
  secret: string
  stores: ShopStores
  logger: Logger
  /** @default a transfer with a random reference */
  createTransfer?: CreateTransfer | undefined
  /** The wallets that receive payments. @default undefined: any wallet is accepted */
  wallets?: readonly string[] | undefined
  /** Proves payments on the chain before they are shipped. @default undefined: signed webhooks are trusted */
  verifyOnChain?: PaymentProof | undefined
  /** Finds payments whose webhook was lost; requires `wallets`. @default undefined: no watcher */
  v3?: V3Client | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

/** A shop that is ready to listen. */
export interface Shop {
  app: Express
  payments: Payments<PostgresOrder>
  receiver: WebhookReceiver
  watcher: PaymentWatcher | undefined
  /** Rejects new webhooks and waits for running work. Close the database afterwards. */
  close(): Promise<void>
}

/** Creates a shop that sells hoodies and gift boxes, and ships each one when it is paid. */
export function createShop(options: ShopOptions): Shop {
  const { secret, stores, v3, wallets, verifyOnChain, logger, clock = systemClock } = options
  const { orders, inbox, shipping } = stores
  const payments = createPayments<PostgresOrder>({
    name: orders.name,
    orders,
    inbox,
    wallets,
    verifyOnChain,
    logger,
    clock,
    onPaid: ({ order }, { idempotencyKey }) => shipping.ship(order.reference, idempotencyKey),
  })
  const receiver = createWebhookReceiver({ payments, secrets: secret })
  // Webhooks report most payments; the watcher finds those that they missed.
  const watcher = v3 && createPaymentWatcher({ payments, v3, minEveryMs: 60_000 })
  watcher?.start()
  const app = express()
  // Before express.json(), which would consume the bytes that the signature covers.
  app.post('/webhooks/ton', tonplugWebhook(receiver))
  app.post('/orders', express.json(), sell({ ...options, clock, payments }))
  return {
    app,
    payments,
    receiver,
    watcher,
    async close() {
      await receiver.close()
      await watcher?.close()
      await payments.close()
    },
  }
}

/** Returns the route that creates the transfer, stores the order and returns its reference. */
function sell({
  stores,
  payments,
  clock,
  createTransfer = () => Promise.resolve({ reference: randomUUID() }),
}: ShopOptions & Pick<Shop, 'payments'> & { clock: Clock }): express.RequestHandler {
  return async ({ body }: { body: { product?: unknown } }, response) => {
    const price = PRICES.get(body.product)
    if (price === undefined) return void response.sendStatus(400)
    const { reference, bodyBase64Hash } = await createTransfer(price)
    const createdAt = new Date(clock.nowMs())
    await stores.orders.create({ reference, ...price, bodyBase64Hash, data: null, createdAt })
    // The buyer may have paid before the order was stored.
    await payments.matchReference(reference)
    response.status(201).json({ reference })
  }
}
