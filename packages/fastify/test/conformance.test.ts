import { describeWebhookAdapter } from '@tonplug/testing'
import type { WebhookAdapterHarness } from '@tonplug/testing'
import type { WebhookReceiver } from '@tonplug/core'
import type { FastifyInstance } from 'fastify'
import { describe, it } from 'vitest'
import { tonplugFastify } from '../src/plugin.js'
import { fastifyVersions, type CreateApp } from './support/fastify-versions.js'
import { startApp } from './support/listen.js'

const path = '/webhooks/ton'

/** Apps that register the plugin for a receiver. */
const APPS: Record<string, (app: FastifyInstance, receiver: WebhookReceiver) => Promise<unknown>> =
  {
    'a plain app': async (app, receiver) => app.register(tonplugFastify, { path, receiver }),
    'after parsers of the app': async (app, receiver) => {
      app.removeContentTypeParser('application/json')
      app.addContentTypeParser('application/json', { parseAs: 'string' }, async () => 'parsed')
      app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => 'parsed')
      await app.register(tonplugFastify, { path, receiver })
    },
    'before parsers of the app': async (app, receiver) => {
      await app.register(tonplugFastify, { path, receiver })
      app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => 'parsed')
    },
    'a prefix': async (app, receiver) =>
      app.register(tonplugFastify, { prefix: '/webhooks', path: '/ton', receiver }),
    'a scoped plugin': async (app, receiver) =>
      app.register(
        async (scope) => {
          scope.addHook('onRequest', async () => undefined)
          await scope.register(tonplugFastify, { path: '/ton', receiver })
        },
        { prefix: '/webhooks' },
      ),
  }

for (const [version, createApp] of fastifyVersions) {
  for (const [name, mount] of Object.entries(APPS)) {
    if (version === 'Fastify 4' && name !== 'a plain app') continue
    const start = startWith(createApp, mount)
    describeWebhookAdapter(`${version}, ${name}`, () => ({ start }), { describe, it })
  }
}

function startWith(
  createApp: CreateApp,
  mount: (typeof APPS)[string],
): WebhookAdapterHarness['start'] {
  return async (receiver) => {
    const app = createApp()
    await mount(app, receiver)
    const server = await startApp(app)
    return { url: server.url + path, close: () => server.close() }
  }
}
