import type { PostgresOrderRepository } from '@tonplug/postgres'
import { expiryOf } from './shop.js'

const EVERY_MS = 5000
const PERIOD_MS = 86_400_000
const LIMIT = 10_000

/** Expires the unpaid orders of the last day when their time has passed. Returns the function that ends it. */
export function expireOrders(orders: PostgresOrderRepository): () => void {
  const run = async (): Promise<void> => {
    const createdAfter = new Date(Date.now() - PERIOD_MS)
    for await (const order of orders.listOpen({ createdAfter, limit: LIMIT })) {
      // The oldest come first.
      if (expiryOf(order.createdAt) > new Date()) return
      if (order.status !== 'expired') await orders.expire(order)
    }
  }
  const runInBackground = (): void => void run().catch(console.error)
  const timer = setInterval(runInBackground, EVERY_MS)
  runInBackground()
  return () => clearInterval(timer)
}
