import type { IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Controller, Module, Post, Req } from '@nestjs/common'
import type { ExecutionContext, Type } from '@nestjs/common'
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express'
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify'
import { signPayload, transferCompleted } from '@tonplug/testing'
import express from 'express'
import supertest from 'supertest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugWebhookOptions } from '../../src/tonplug.options.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf, SECRET } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

@Controller()
class KeptController {
  @Post('kept')
  kept(@Req() { rawBody }: { rawBody?: Buffer }): object {
    return { kept: rawBody?.toString() ?? 'nothing' }
  }
}

@Module({ controllers: [KeptController] })
class PlainModule {}

function createModule(shop: Shop, webhook: Partial<TonplugWebhookOptions> = {}): Type {
  const options = { path: 'webhooks/ton', ...optionsOf(shop, {}, webhook) }
  @Module({ imports: [PlainModule, TonplugModule.forRoot(options)] })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('the module, in one of two apps of a process, %s', (platform) => {
  it('S108 does not change the parsers of the other app', async () => {
    const { url } = await startApp(createModule(createShop()), { platform })
    const plain = await startApp(PlainModule, { platform })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    const { body } = await supertest(plain.url).post('/kept').send({ a: 1 })
    expect(body).toEqual({ kept: 'nothing' })
    for (const { prototype } of [ExpressAdapter, FastifyAdapter]) {
      expect(String(prototype.registerParserMiddleware)).toContain('(prefix, rawBody)')
    }
  })
})

it('S108 keeps the raw bodies of other routes on Express, signed or not', async () => {
  const { url } = await startApp(createModule(createShop()), { platform: 'express' })
  for (const headers of [{}, deliveries.valid.headers]) {
    const type = { 'content-type': 'application/json' }
    const { body } = await supertest(url)
      .post('/kept')
      .set({ ...type, ...headers })
      .send('{ "a":1}')
    expect(body).toEqual({ kept: '{ "a":1}' })
  }
})

it('accepts webhooks on an adapter like Express without useBodyParser', async () => {
  class OwnAdapter extends ExpressAdapter {}
  Object.defineProperty(OwnAdapter.prototype, 'useBodyParser', { value: undefined, writable: true })
  const adapter = new OwnAdapter()
  const { url } = await startApp(createModule(createShop()), { platform: 'express', adapter })
  expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
})

it('accepts a webhook over HTTP/2 on Fastify', async () => {
  const shop = createShop()
  const adapter = new FastifyAdapter({ http2: true } as object)
  const options = { forceCloseConnections: false }
  const { url } = await startApp(createModule(shop), { platform: 'fastify', adapter, options })
  const session = connect(url)
  onTestFinished(() => session.destroy())
  const send = ({ body, headers }: { body: string; headers: object }): Promise<number> =>
    new Promise((resolve, reject) => {
      const pseudo = { ':method': 'POST', ':path': '/webhooks/ton' }
      const stream = session.request({ ...pseudo, ...headers })
      stream.on('error', reject)
      stream.on('response', ({ ':status': status }) => resolve(Number(status)))
      stream.resume().end(body)
    })
  const tooLong = signPayload('x'.repeat(70_000), SECRET)
  expect(await send(deliveries.wrongSignature)).toBe(401)
  expect(await send(deliveries.malformedRightSignature)).toBe(400)
  expect(await send(tooLong)).toBe(413)
  expect(await send(deliveries.valid)).toBe(200)
  expect(await shop.orderStatus()).toBe('completed')
})

it('passes the headers, the parsed body and the bytes to guards on Fastify', async () => {
  const seen: unknown[] = []
  const { url } = await startApp(createModule(createShop()), {
    platform: 'fastify',
    prepare: (app) =>
      app.useGlobalGuards({
        canActivate(context: ExecutionContext) {
          const { headers, body, rawBody } = context.switchToHttp().getRequest()
          seen.push([headers['content-type'], headers['content-length'], body, String(rawBody)])
          return true
        },
      }),
  })
  const { body, headers } = signPayload(transferCompleted(), SECRET)
  await deliver(`${url}/webhooks/ton`, { body, headers })
  expect(seen).toEqual([
    ['application/json', String(Buffer.byteLength(body)), JSON.parse(body), body],
  ])
})

it('S16 removes prototype keys from the body that guards on Fastify see', async () => {
  const seen: unknown[] = []
  const { url } = await startApp(createModule(createShop()), {
    platform: 'fastify',
    prepare: (app) =>
      app.useGlobalGuards({
        canActivate(context: ExecutionContext) {
          seen.push(Object.getOwnPropertyNames(context.switchToHttp().getRequest().body))
          return true
        },
      }),
  })
  const body = JSON.stringify(transferCompleted()).replace('{', '{"__proto__":{"isAdmin":true},')
  const signed = signPayload(body, SECRET)
  expect(await deliver(`${url}/webhooks/ton`, signed)).toMatchObject({ status: 200 })
  await deliver(`${url}/webhooks/ton`, { body, headers: { 'content-type': 'application/json' } })
  const names = Object.keys(transferCompleted())
  expect(seen).toEqual([names, names])
})

it('S18 reads the webhooks of two instances on Fastify within their own limits', async () => {
  const large = createShop()
  const small = createShop()
  const options = optionsOf(small, {}, { maxBodyBytes: 100 })
  @Module({
    imports: [
      createModule(large),
      TonplugModule.forRoot({ name: 'small', path: 'webhooks/small', ...options }),
    ],
  })
  class AppModule {}
  const { url } = await startApp(AppModule, { platform: 'fastify' })
  expect(await deliver(`${url}/webhooks/small`, deliveries.valid)).toMatchObject({ status: 413 })
  expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
})

it('S21 accepts a webhook whose body a hook on Fastify has read and passed on', async () => {
  const { url } = await startApp(createModule(createShop()), {
    platform: 'fastify',
    prepare: (app) =>
      (app as NestFastifyApplication)
        .getHttpAdapter()
        .getInstance()
        .addHook('preParsing', async (_request, _reply, payload) => {
          const bytes = await buffer(payload)
          return Object.assign(Readable.from([bytes]), { receivedEncodedLength: bytes.length })
        }),
  })
  expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
  expect(await deliver(`${url}/webhooks/ton`, deliveries.wrongSignature)).toMatchObject({
    status: 401,
  })
})

/** Parsers of apps that keep bodies as strings. */
const stringParsers: Record<string, (app: NestExpressApplication) => unknown> = {
  'express.json': (app) => app.use(express.json({ verify: keepString })),
  'express.text': (app) => app.use(express.text({ type: '*/*' })),
  useBodyParser: (app) => app.useBodyParser('json', { limit: 70_000, ...stringVerify }),
}

const stringVerify = { verify: keepString }

function keepString(
  request: IncomingMessage & { rawBody?: string },
  _response: unknown,
  bytes: Buffer,
): void {
  request.rawBody = bytes.toString()
}

it.each(Object.entries(stringParsers))(
  'S21 accepts a webhook whose body the app keeps as a string, with %s',
  async (_, prepare) => {
    const { url } = await startApp(createModule(createShop()), {
      platform: 'express',
      prepare: (app) => prepare(app as NestExpressApplication),
    })
    const changed = signPayload('{"memo":"\uFFFD"}', SECRET)
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(await deliver(`${url}/webhooks/ton`, changed)).toMatchObject({ status: 500 })
  },
)

it.each(platforms)(
  'S22 reads bytes that a middleware has kept as an ArrayBuffer, on %s',
  async (platform) => {
    const { url } = await startApp(createModule(createShop()), {
      platform,
      options: { bodyParser: false },
      prepare: (app) =>
        app.use((request: IncomingMessage, _response: unknown, next: () => void) => {
          const chunks: Uint8Array[] = []
          request.on('data', (chunk) => chunks.push(chunk))
          request.on('end', () => {
            const { buffer } = Uint8Array.from(Buffer.concat(chunks))
            Object.assign(request, { rawBody: buffer })
            next()
          })
        }),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.wrongSignature)).toMatchObject({
      status: 401,
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
  },
)

it('S21 responds with 500, and logs the fix, when a middleware on Fastify has read the body', async () => {
  const shop = createShop()
  const { url } = await startApp(createModule(shop), {
    platform: 'fastify',
    prepare: (app) =>
      app.use((request: NodeJS.ReadableStream, _response: unknown, next: () => void) => {
        request.on('end', next).resume()
      }),
  })
  expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 500 })
  const errors = shop.logger.lines.filter(({ level }) => level === 'error')
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringMatching('its bytes were not kept'),
  ])
})
