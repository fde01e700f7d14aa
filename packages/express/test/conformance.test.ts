import { describeWebhookAdapter } from '@tonplug/testing'
import type { WebhookAdapterHarness } from '@tonplug/testing'
import type { Application } from 'express'
import { describe, it } from 'vitest'
import { tonplugWebhook } from '../src/webhook-middleware.js'
import { expressVersions } from './support/express-versions.js'
import { startServer } from './support/listen.js'

type Start = WebhookAdapterHarness['start']

for (const [version, express] of expressVersions) {
  const startWith =
    (mount: (webhook: ReturnType<typeof tonplugWebhook>) => Application): Start =>
    async (receiver) => {
      const server = await startServer(mount(tonplugWebhook(receiver)))
      return { url: `${server.url}/webhooks/ton`, close: () => server.close() }
    }

  const asRoute = startWith((webhook) =>
    express().all('/webhooks/ton', webhook).use(express.json()),
  )
  describeWebhookAdapter(`${version}, a route`, () => ({ start: asRoute }), { describe, it })

  const asMiddleware = startWith((webhook) => {
    const router = express.Router()
    router.use('/ton', webhook)
    return express().use('/webhooks', router, express.json())
  })
  describeWebhookAdapter(`${version}, mounted in a router`, () => ({ start: asMiddleware }), {
    describe,
    it,
  })
}
