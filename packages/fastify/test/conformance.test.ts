import { describeWebhookAdapter } from '@tonplug/testing'
import { describe, it } from 'vitest'
import { fastifyVersions } from './support/fastify-versions.js'
import { mountInPlainApp, startWith } from './support/webhook-apps.js'

for (const [version, createApp] of fastifyVersions) {
  const start = startWith(createApp, mountInPlainApp)
  describeWebhookAdapter(`${version}, a plain app`, () => ({ start }), { describe, it })
}
