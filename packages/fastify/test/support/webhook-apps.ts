import type { WebhookReceiver } from '@tonplug/core'
import type { WebhookAdapterHarness } from '@tonplug/testing'
import type { FastifyInstance } from 'fastify'
import { tonplugFastify } from '../../src/plugin.js'
import type { CreateApp } from './fastify-versions.js'
import { startApp } from './listen.js'

const path = '/webhooks/ton'

type Mount = (app: FastifyInstance, receiver: WebhookReceiver) => Promise<unknown>

export const mountInPlainApp: Mount = async (app, receiver) =>
  app.register(tonplugFastify, { path, receiver })

/** Other places of the plugin in an app. */
export const otherMounts: Record<string, Mount> = {
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

export function startWith(createApp: CreateApp, mount: Mount): WebhookAdapterHarness['start'] {
  return async (receiver) => {
    const app = createApp()
    await mount(app, receiver)
    const server = await startApp(app)
    return { url: server.url + path, close: () => server.close() }
  }
}
