import type { WebhookReceiver } from '@tonplug/core'
import { Hono } from 'hono'

export function createHonoApp(receiver: WebhookReceiver): Hono {
  const app = new Hono()
  app.all('/webhooks/ton', (context) => receiver.handle(context.req.raw))
  return app
}
