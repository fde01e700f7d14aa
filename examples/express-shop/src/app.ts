import { fileURLToPath } from 'node:url'
import type { Logger, WebhookReceiver } from '@tonplug/core'
import { tonplugWebhook } from '@tonplug/express'
import express from 'express'
import type { Express, Router } from 'express'
import { createErrorHandler, refuseUnknownPath } from './request-error.js'
import { securityHeaders } from './security-headers.js'

/** Dependencies of the application. */
export interface AppDependencies {
  receiver: WebhookReceiver
  routes: readonly Router[]
  logger: Logger
}

const publicFolder = fileURLToPath(new URL('../public', import.meta.url))

/** Mounts the webhook, the pages and the routes, in the required order. */
export function createApp({ receiver, routes, logger }: AppDependencies): Express {
  const app = express()
  app.disable('x-powered-by')
  app.use(securityHeaders)
  // Before express.json(), which would consume the bytes that the signature covers.
  app.post('/webhooks/ton', tonplugWebhook(receiver))
  app.use(express.json({ limit: '10kb' }))
  app.use(express.static(publicFolder))
  for (const router of routes) app.use(router)
  app.use(refuseUnknownPath)
  app.use(createErrorHandler(logger))
  return app
}
