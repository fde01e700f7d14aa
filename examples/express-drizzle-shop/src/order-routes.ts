import { randomUUID } from 'node:crypto'
import type { WebhookReceiver } from '@tonplug/core'
import { eq } from 'drizzle-orm'
import { Router } from 'express'
import type { ShopDatabase } from './database.js'
import type { ShopOrder } from './order-repository.js'
import { orders, parcels } from './schema.js'

const PRICES_IN_NANOTON: Partial<Record<string, bigint>> = {
  cap: 10_500_000_000n,
  sticker: 300_000_000n,
}

/** What the routes work with. */
export interface OrderRoutesDependencies {
  db: ShopDatabase
  receiver: WebhookReceiver<ShopOrder>
}

/** Buying, and how an order stands. */
export function createOrderRoutes({ db, receiver }: OrderRoutesDependencies): Router {
  const routes = Router()

  routes.post('/orders', async (request, response) => {
    // Whatever somebody sent.
    const { item } = (request.body ?? {}) as { item?: unknown }
    const rawAmount = typeof item === 'string' ? PRICES_IN_NANOTON[item] : undefined
    if (typeof item !== 'string' || rawAmount === undefined) {
      response.status(404).json({ error: 'no such item' })
      return
    }
    // A real shop creates the transfer at the gateway here and stores the reference it answers.
    const reference = randomUUID()
    await db.insert(orders).values({ reference, item, rawAmount, asset: 'TON', status: 'pending' })
    // The webhook may have been faster than the row.
    await receiver.matchReference(reference)
    response.status(201).json({ reference, rawAmount: rawAmount.toString(), asset: 'TON' })
  })

  routes.get('/orders/:reference', async (request, response) => {
    const { reference } = request.params
    const [order] = await db.select().from(orders).where(eq(orders.reference, reference))
    if (order === undefined) {
      response.status(404).json({ error: 'no such order' })
      return
    }
    const { item, status } = order
    const sent = await db.$count(parcels, eq(parcels.reference, reference))
    response.json({ reference, item, status, parcels: sent })
  })

  return routes
}
