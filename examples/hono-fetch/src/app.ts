import type { OrderRepository, WebhookReceiver } from '@tonplug/core'
import { Hono } from 'hono'

/** Creates a Hono app with the webhook route and the status of an order. */
export function createApp(receiver: WebhookReceiver, orders: OrderRepository): Hono {
  const app = new Hono()
  // `all`, so that the receiver responds to other methods with 405.
  app.all('/webhooks/ton', (context) => receiver.handle(context.req.raw))
  app.get('/orders/:reference', async (context) => {
    const order = await orders.find({ reference: context.req.param('reference') })
    return order === null ? context.notFound() : context.json({ status: order.status })
  })
  return app
}
