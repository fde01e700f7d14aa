import type { OrderRepository, WebhookReceiver } from '@tonplug/core'
import { Hono } from 'hono'

/** A Hono app with the webhook route and one page about an order. */
export function createApp(receiver: WebhookReceiver, orders: OrderRepository): Hono {
  const app = new Hono()
  // `all`, so that the receiver itself answers 405 to other methods.
  app.all('/webhooks/ton', (context) => receiver.handle(context.req.raw))
  app.get('/orders/:reference', async (context) => {
    const order = await orders.findByReference(context.req.param('reference'))
    return order === null ? context.notFound() : context.json({ status: order.status })
  })
  return app
}
