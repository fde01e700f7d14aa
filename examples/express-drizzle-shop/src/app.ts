import type { WebhookReceiver } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import express, { type Express, type Router } from 'express'

/** Mounts the webhook and the shop's routes, in the order in which they must come. */
export function createApp(receiver: WebhookReceiver, routes: Router): Express {
  const app = express()
  // Ahead of express.json(), which would eat the bytes that the signature covers.
  app.post('/webhooks/ton', tonplugWebhook(receiver))
  app.use(express.json({ limit: '10kb' }))
  app.use(routes)
  return app
}
