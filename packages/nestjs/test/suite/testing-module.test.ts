import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Injectable, Module } from '@nestjs/common'
import type { INestApplication } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { createWebhookReceiver } from '@tonplug/core'
import type { PaidTransfer } from '@tonplug/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getReceiverToken } from '../../src/tonplug.tokens.js'
import { OnTransferPaid } from '../../src/webhook/handlers.decorators.js'
import { createAdapter, listen, platforms } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'
import { createShop, deliver, deliveries, webhookOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

function createModule(shop: Shop) {
  @Injectable()
  class Handlers {
    @OnTransferPaid()
    paid({ order }: PaidTransfer): void {
      shop.handled.push({ by: 'Handlers', reference: order.reference })
    }
  }
  @Module({
    imports: [TonplugModule.forRoot({ path: 'webhooks/ton', webhook: webhookOf(shop) })],
    providers: [Handlers],
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('S64 a testing module without options, %s', (platform) => {
  it('takes deliveries', async () => {
    const shop = createShop()
    const testing = await Test.createTestingModule({ imports: [createModule(shop)] }).compile()
    const { app, url } = await listen(testing.createNestApplication(createAdapter(platform)))
    for (const [name, status] of [
      ['wrongSignature', 401],
      ['malformedWrongSignature', 401],
      ['malformedRightSignature', 400],
      ['valid', 200],
    ] as const) {
      expect(await deliver(`${url}/webhooks/ton`, deliveries[name])).toMatchObject({ status })
    }
    await app.close()
    expect(shop.handled).toEqual([{ by: 'Handlers', reference: 'order-1' }])
  })

  it('takes them when the app is initialised and nothing listens yet', async () => {
    const shop = createShop()
    const testing = await Test.createTestingModule({ imports: [createModule(shop)] }).compile()
    const app = testing.createNestApplication(createAdapter(platform))
    await app.init()
    onTestFinished(() => app.close())
    expect(await inject[platform](app)).toBe(200)
    expect(await shop.orderStatus()).toBe('completed')
  })

  it('lets its receiver be overridden', async () => {
    const shop = createShop()
    const receive = async () => ({ status: 202, headers: {}, body: '{"mine":true}' })
    const testing = await Test.createTestingModule({ imports: [createModule(shop)] })
      .overrideProvider(getReceiverToken())
      .useValue({
        receive,
        addHandler: () => undefined,
        start: () => undefined,
        close: async () => undefined,
        signatureHeaders: [],
      })
      .compile()
    const { url } = await listen(testing.createNestApplication(createAdapter(platform)))
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toEqual({
      status: 202,
      body: '{"mine":true}',
    })
  })
})

describe('a receiver that a test has overridden', () => {
  const override = (receiver: unknown) =>
    Test.createTestingModule({ imports: [createModule(createShop())] })
      .overrideProvider(getReceiverToken())
      .useValue(receiver)
      .compile()

  it('may be one of its own', async () => {
    const shop = createShop()
    const receiver = createWebhookReceiver({ ...webhookOf(shop), autoStart: false })
    const { app, url } = await listen((await override(receiver)).createNestApplication())
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(await shop.orderStatus()).toBe('completed')
    await app.close()
  })

  it('is an error when the app cannot work with it', async () => {
    await expect(override({ receive: async () => undefined })).rejects.toThrow(
      /^getReceiverToken\('default'\): is overridden with what has no addHandler, start, close; give a receiver of createWebhookReceiver\(\{.*autoStart: false/,
    )
  })
})

/** How tests of the two platforms send a request without `listen`. */
const inject: Record<Platform, (app: INestApplication) => Promise<number>> = {
  async express(app) {
    // Node's server, by which HTTP platforms work.
    const server = app.getHttpServer() as Server
    await new Promise<void>((resolve) => server.listen(0, resolve))
    // It listens on TCP.
    const { port } = server.address() as AddressInfo
    return (await deliver(`http://127.0.0.1:${port}/webhooks/ton`, deliveries.valid)).status
  },
  async fastify(app) {
    const fastify = app as NestFastifyApplication
    await fastify.getHttpAdapter().getInstance().ready()
    const { headers, body: payload } = deliveries.valid
    const url = '/webhooks/ton'
    return (await fastify.inject({ method: 'POST', url, headers, payload })).statusCode
  },
}
