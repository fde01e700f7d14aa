import { Readable } from 'node:stream'
import { describeOtherRoutes, type OtherRoutesOptions } from '@tonplug/testing'
import { fastify, type FastifyInstance } from 'fastify'
import rawBody from 'fastify-raw-body'
import { describe, it } from 'vitest'
import { tonplugFastify } from '../src/plugin.js'
import { fastifyVersions } from './support/fastify-versions.js'
import { startApp } from './support/listen.js'

type IsShopSignature = OtherRoutesOptions['isShopSignature']

/** Sets up an app before the plugin is registered. */
type SetUp = (app: FastifyInstance, isShopSignature: IsShopSignature) => Promise<unknown>

const FORBIDDEN = { statusCode: 403 }

const setUps: Record<string, SetUp> = {
  'default parsers, and a hook that reads one body': async (app, isShopSignature) => {
    app.addHook('preParsing', async (request, _reply, payload) => {
      if (request.url !== '/signed') return payload
      const chunks: Uint8Array[] = []
      for await (const chunk of payload) chunks.push(chunk as Uint8Array)
      const bytes = Buffer.concat(chunks)
      check(isShopSignature(bytes, request.headers['x-shop-signature']))
      return Object.assign(Readable.from([bytes]), { receivedEncodedLength: bytes.length })
    })
  },
  'parsers of its own, and fastify-raw-body': async (app, isShopSignature) => {
    await app.register(rawBody, { encoding: false })
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      async (...[, body]: [unknown, Buffer | string]) => body.length,
    )
    app.addHook('preHandler', async (request) => {
      if (request.url !== '/signed') return
      const { rawBody: bytes = '', headers } = request
      check(isShopSignature(Buffer.from(bytes), headers['x-shop-signature']))
    })
  },
}

for (const [version, createApp] of fastifyVersions) {
  for (const [name, setUp] of Object.entries(setUps)) {
    const isNewest = version === 'Fastify 5'
    if (!isNewest && setUp !== Object.values(setUps)[0]) continue
    describeOtherRoutes(
      `${version}, ${name}`,
      {
        httpVersions: isNewest ? ['1.1', '2'] : ['1.1'],
        start: async ({ receiver, httpVersion, isShopSignature }) => {
          const app =
            httpVersion === '2'
              ? (fastify({ http2: true }) as unknown as FastifyInstance)
              : createApp()
          await setUp(app, isShopSignature)
          if (receiver !== undefined) {
            await app.register(tonplugFastify, { path: '/webhooks/ton', receiver })
          }
          addRoutes(app)
          return startApp(app)
        },
      },
      { describe, it },
    )
  }
}

function addRoutes(app: FastifyInstance): void {
  for (const path of ['/echo', '/echo/webhooks/ton', '/webhooks/ton/other', '/signed']) {
    app.all(path, async ({ method, url, headers, body }) => ({ method, url, headers, body }))
  }
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.all('/stream', async (request, reply) =>
      reply.code(201).type('application/octet-stream').send(request.raw),
    )
  })
}

function check(isSigned: boolean): void {
  if (!isSigned) throw Object.assign(new Error('forged'), FORBIDDEN)
}
