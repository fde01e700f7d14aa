import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Module, RequestMethod, VERSION_NEUTRAL, VersioningType } from '@nestjs/common'
import type { ControllerOptions, INestApplication, Type } from '@nestjs/common'
import { NestFactory, RouterModule } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { WebhookReceiver } from '@tonplug/core'
import express from 'express'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getReceiverToken } from '../../src/tonplug.tokens.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

interface Where {
  controller?: Omit<ControllerOptions, 'path'>
  modulePath?: string
  prepare?: (app: INestApplication) => unknown
  paths: string[]
}

const uri = (options: object = {}) => ({ type: VersioningType.URI as const, ...options })

const places: Record<string, Where> = {
  'a version, without versioning': {
    controller: { version: '1' },
    paths: ['/webhooks/ton'],
  },
  'a version in the URL': {
    controller: { version: '1' },
    prepare: (app) => app.enableVersioning(uri()),
    paths: ['/v1/webhooks/ton'],
  },
  'a version in a header': {
    controller: { version: VERSION_NEUTRAL },
    prepare: (app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' }),
    paths: ['/webhooks/ton'],
  },
  'a default version, which the webhook ignores': {
    prepare: (app) => app.enableVersioning(uri({ defaultVersion: '1' })),
    paths: ['/webhooks/ton'],
  },
  'several versions': {
    controller: { version: ['1', VERSION_NEUTRAL, '11'] },
    prepare: (app) => app.enableVersioning(uri()),
    paths: ['/v1/webhooks/ton', '/webhooks/ton', '/v11/webhooks/ton'],
  },
  'versions with a custom prefix': {
    controller: { version: '1' },
    prepare: (app) => app.enableVersioning(uri({ prefix: 'version-' })),
    paths: ['/version-1/webhooks/ton'],
  },
  'versions without a prefix': {
    controller: { version: '1' },
    prepare: (app) => app.enableVersioning(uri({ prefix: false })),
    paths: ['/1/webhooks/ton'],
  },
  'the path of its module': { modulePath: '/shop/', paths: ['/shop/webhooks/ton'] },
  'a global prefix, a version and the path of its module': {
    controller: { version: '2' },
    modulePath: 'shop',
    prepare: (app) => app.setGlobalPrefix('/api/').enableVersioning(uri()),
    paths: ['/api/v2/shop/webhooks/ton'],
  },
  'no prefix for any version when it is excluded': {
    controller: { version: '2' },
    modulePath: 'shop',
    prepare: (app) =>
      app.setGlobalPrefix('api', { exclude: ['shop/webhooks/ton'] }).enableVersioning(uri()),
    paths: ['/v2/shop/webhooks/ton'],
  },
  'the prefix when another method is excluded': {
    prepare: (app) =>
      app.setGlobalPrefix('api', {
        exclude: [{ path: 'webhooks/ton', method: RequestMethod.GET }],
      }),
    paths: ['/api/webhooks/ton'],
  },
  'no prefix when POST is excluded': {
    prepare: (app) =>
      app.setGlobalPrefix('api', {
        exclude: [{ path: 'webhooks/*rest', method: RequestMethod.POST }].map((one) =>
          process.env['NEST_MAJOR'] === '10' ? { ...one, path: 'webhooks/(.*)' } : one,
        ),
      }),
    paths: ['/webhooks/ton'],
  },
}

describe.each(platforms)('S59 the webhook is a route as any other, %s', (platform) => {
  it.each(Object.entries(places))('has %s', async (_name, where) => {
    const shop = createShop()
    @WebhookController({ path: 'webhooks/ton', ...where.controller })
    class PaymentsController {}
    @Module({ controllers: [PaymentsController] })
    class PaymentsModule {}
    const { modulePath, prepare = () => undefined, paths } = where
    const routes = modulePath === undefined ? [] : [{ path: modulePath, module: PaymentsModule }]
    @Module({
      imports: [
        TonplugModule.forRoot(optionsOf(shop)),
        PaymentsModule,
        RouterModule.register(routes),
      ],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform, prepare })
    for (const path of paths) {
      expect(await deliver(url + path, deliveries.valid)).toMatchObject({ status: 200 })
    }
    expect(await deliver(`${url}/elsewhere`, deliveries.valid)).toMatchObject({ status: 404 })
  })
})

/** A Fastify app, of any version that the tested Nest depends on. */
interface OuterApp {
  register(
    plugin: (instance: ConstructorParameters<typeof FastifyAdapter>[0]) => Promise<void>,
    options: { prefix: string },
  ): unknown
  listen(options: { port: number; host: string }): Promise<string>
  close(): Promise<void>
}

const B_SECRET = 'whsec_of_the_other_shop'
const ofB = signPayload(transferCompleted(), B_SECRET)

/** Returns a module with two instances; `a` rejects almost every body as too large. */
function twoInstances(pathOfA: string, pathOfB: string): { module: Type; a: Shop; b: Shop } {
  const [a, b] = [createShop(), createShop()]
  @Module({
    imports: [
      TonplugModule.forRoot({
        name: 'a',
        path: pathOfA,
        ...optionsOf(a, {}, { maxBodyBytes: 10 }),
      }),
      TonplugModule.forRoot({
        name: 'b',
        path: pathOfB,
        ...optionsOf(b, {}, { secrets: B_SECRET }),
      }),
    ],
  })
  class AppModule {}
  return { module: AppModule, a, b }
}

/** Sends a delivery of `b`. @returns its status, and the statistics of the receiver of `a`. */
async function deliverToB(app: INestApplication, target: string): Promise<object> {
  const { status } = await deliver(target, ofB)
  const receiver: WebhookReceiver = app.get(getReceiverToken('a'), { strict: false })
  return { status, seenByA: receiver.stats() }
}

const takenByB = { status: 200, seenByA: {} }

describe.each(platforms)('two instances whose paths have the same end, %s', (platform) => {
  it.each(['/b/webhooks/ton', '/b/webhooks/ton?from=gateway'])(
    'receive their own deliveries: %s',
    async (path) => {
      const { module, a, b } = twoInstances('webhooks/ton', 'b/webhooks/ton')
      const { app, url } = await startApp(module, { platform })
      expect(await deliverToB(app, url + path)).toEqual(takenByB)
      expect(await b.orderStatus()).toBe('completed')
      expect(await a.orderStatus()).toBe('pending')
      expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 413 })
    },
  )

  it('receive their own deliveries by version', async () => {
    const [a, b] = [createShop(), createShop()]
    @WebhookController({ path: 'webhooks/ton', version: '1', name: 'a' })
    class A {}
    @WebhookController({ path: 'webhooks/ton', version: '2', name: 'b' })
    class B {}
    @Module({
      imports: [
        TonplugModule.forRoot({ name: 'a', ...optionsOf(a, {}, { maxBodyBytes: 10 }) }),
        TonplugModule.forRoot({ name: 'b', ...optionsOf(b, {}, { secrets: B_SECRET }) }),
      ],
      controllers: [A, B],
    })
    class AppModule {}
    const prepare = (app: INestApplication) => app.enableVersioning(uri())
    const { app, url } = await startApp(AppModule, { platform, prepare })
    expect(await deliverToB(app, `${url}/v2/webhooks/ton`)).toEqual(takenByB)
  })
})

describe.each(platforms)('S81 two instances on one path, %s', (platform) => {
  type Place = Omit<ControllerOptions, 'path'> & { path?: string }
  const header = { type: VersioningType.HEADER as const, header: 'x-version' }
  const start = (placeOfA: Place, placeOfB: Place) => {
    const [a, b] = [createShop(), createShop()]
    @WebhookController({ path: 'webhooks/ton', ...placeOfA, name: 'a' })
    class A {}
    @WebhookController({ path: 'webhooks/ton', ...placeOfB, name: 'b' })
    class B {}
    @Module({
      imports: [
        TonplugModule.forRoot({ name: 'a', ...optionsOf(a, {}, { maxBodyBytes: 10 }) }),
        TonplugModule.forRoot({ name: 'b', ...optionsOf(b, {}, { secrets: B_SECRET }) }),
      ],
      controllers: [A, B],
    })
    class AppModule {}
    const prepare = (app: INestApplication) => app.enableVersioning(header)
    return startApp(AppModule, { platform, prepare })
  }

  it('have their own limits and secrets, by version', async () => {
    const { url } = await start({ version: '1' }, { version: '2' })
    const send = (version: string) =>
      deliver(`${url}/webhooks/ton`, {
        body: ofB.body,
        headers: { ...ofB.headers, 'x-version': version },
      })
    expect(await send('2')).toMatchObject({ status: 200 })
    expect(await send('1')).toEqual({ status: 413, body: '{"ok":false}' })
  })

  // Fastify rejects such routes itself.
  it.runIf(platform === 'express')('have their own limits and secrets, by host', async () => {
    const { app, url } = await start({ host: 'a.example' }, { host: '127.0.0.1' })
    expect(await deliverToB(app, `${url}/webhooks/ton`)).toEqual(takenByB)
  })
})

describe('two instances with parameters in their paths, fastify', () => {
  it.each([
    ['webhooks/:shop', 'webhooks/ton', '/webhooks/ton'],
    [':shop/:coin', ':shop/ton', '/b/ton?from=gateway'],
    ['webhooks/*', 'webhooks/b/:coin', '/webhooks/b/ton'],
  ])('share %s and %s: the more specific one receives %s', async (pathOfA, pathOfB, path) => {
    const { module } = twoInstances(pathOfA, pathOfB)
    const { app, url } = await startApp(module, { platform: 'fastify' })
    expect(await deliverToB(app, url + path)).toEqual(takenByB)
  })
})

describe('an app in an outer app', () => {
  it('receives deliveries when it is mounted in an Express app', async () => {
    const { module } = twoInstances('webhooks/ton', 'b/webhooks/ton')
    const inner = express()
    const { app } = await startApp(module, {
      platform: 'express',
      adapter: new ExpressAdapter(inner),
    })
    const server = express().use('/b', inner).listen(0)
    onTestFinished(() => server.close().closeAllConnections())
    await once(server, 'listening')
    // A server that listens on TCP has a port.
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/b`
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 413 })
    await deliver(`${url}/b/webhooks/ton`, ofB)
    const receiver: WebhookReceiver = app.get(getReceiverToken('b'), { strict: false })
    expect(receiver.stats()).toEqual({ paid: 1 })
  })

  it('receives deliveries as a plugin of a Fastify app, at its prefix', async () => {
    const { module, b } = twoInstances('webhooks/ton', 'b/webhooks/ton')
    const outer = new FastifyAdapter().getInstance<OuterApp>()
    onTestFinished(() => outer.close())
    let app!: INestApplication
    outer.register(
      async (plugin) => {
        app = await NestFactory.create(module, new FastifyAdapter(plugin), { logger: false })
        await app.init()
      },
      { prefix: '/b' },
    )
    const url = await outer.listen({ port: 0, host: '127.0.0.1' })
    expect(await deliver(`${url}/b/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 413 })
    await deliver(`${url}/b/b/webhooks/ton`, ofB)
    expect(await b.orderStatus()).toBe('completed')
  })

  it('receives deliveries whose URL its middleware changes', async () => {
    const { module, b } = twoInstances('webhooks/ton', 'b/webhooks/ton')
    const { url } = await startApp(module, {
      platform: 'express',
      prepare: (app) =>
        app.use((request: IncomingMessage, _response: unknown, next: () => void) => {
          request.url = request.url?.replace('/base', '')
          next()
        }),
    })
    expect(await deliver(`${url}/base/b/webhooks/ton`, ofB)).toMatchObject({ status: 200 })
    expect(await b.orderStatus()).toBe('completed')
  })
})

describe('two webhooks whose paths differ only in case', () => {
  it('are two routes on Fastify', async () => {
    const { module } = twoInstances('webhooks/ton', 'Webhooks/ton')
    const { app, url } = await startApp(module, { platform: 'fastify' })
    expect(await deliverToB(app, `${url}/Webhooks/ton?from=gateway`)).toEqual(takenByB)
  })

  it('are accepted in a worker', async () => {
    const { module } = twoInstances('webhooks/ton', 'Webhooks/ton')
    const options = { logger: false, abortOnError: false } as const
    const worker = await NestFactory.createApplicationContext(module, options)
    await expect(worker.close()).resolves.toBeUndefined()
  })
})
