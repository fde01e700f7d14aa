import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Injectable, Module } from '@nestjs/common'
import type { INestApplication } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import { createPayments, createWebhookReceiver } from '@tonplug/core'
import type { PaidTransfer, WebhookReceiver } from '@tonplug/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getPaymentsToken, getReceiverToken } from '../../src/tonplug.tokens.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { createAdapter, listen, platforms } from '../support/start-app.js'
import type { Platform } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

function createModule(shop: Shop) {
  @Injectable()
  class Handlers {
    @OnPaid()
    paid({ order }: PaidTransfer): void {
      shop.handled.push({ by: 'Handlers', reference: order.reference })
    }
  }
  @Module({
    imports: [TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(shop) })],
    providers: [Handlers],
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('S64 a testing module without options, %s', (platform) => {
  it('receives deliveries', async () => {
    const shop = createShop()
    const testing = await Test.createTestingModule({ imports: [createModule(shop)] }).compile()
    const { app, url } = await listen(testing.createNestApplication(createAdapter(platform)))
    for (const [name, status] of [
      ['wrongSignature', 401],
      // On Express, Nest's parser rejects it first.
      ['malformedWrongSignature', platform === 'express' ? 400 : 401],
      ['malformedRightSignature', 400],
      ['valid', 200],
    ] as const) {
      expect(await deliver(`${url}/webhooks/ton`, deliveries[name])).toMatchObject({ status })
    }
    await app.close()
    expect(shop.handled).toEqual([{ by: 'Handlers', reference: 'order-1' }])
  })

  it('receives deliveries when the app is initialized and does not listen yet', async () => {
    const shop = createShop()
    const testing = await Test.createTestingModule({ imports: [createModule(shop)] }).compile()
    const app = testing.createNestApplication(createAdapter(platform))
    await app.init()
    onTestFinished(() => app.close())
    expect(await inject[platform](app)).toBe(200)
    expect(await shop.orderStatus()).toBe('completed')
  })

  it('can override its receiver', async () => {
    const shop = createShop()
    const receive = async () => ({ status: 202, headers: { 'x-own': 'yes' }, body: '{"ok":true}' })
    const testing = await Test.createTestingModule({ imports: [createModule(shop)] })
      .overrideProvider(getReceiverToken())
      .useValue({ receive, close: async () => undefined, signatureHeaders: [] })
      .compile()
    const { url } = await listen(testing.createNestApplication(createAdapter(platform)))
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toEqual({
      status: 202,
      body: '{"ok":true}',
    })
  })
})

describe('an override in a test', () => {
  const override = (token: string, value: unknown, shop = createShop()) =>
    Test.createTestingModule({ imports: [createModule(shop)] })
      .overrideProvider(token)
      .useValue(value)
      .compile()

  it('gets the handlers and the reports of the app instead of payments', async () => {
    const [shop, replaced] = [createShop(), createShop()]
    const { orders, logger } = shop
    const payments = createPayments({ orders, logger, autoStart: false })
    const testing = await override(getPaymentsToken(), payments, replaced)
    const { app, url } = await listen(testing.createNestApplication())
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await app.close()
    expect(await shop.orderStatus()).toBe('completed')
    expect(await replaced.orderStatus()).toBe('pending')
    expect(replaced.handled).toEqual([{ by: 'Handlers', reference: 'order-1' }])
    expect(payments.state()).toBe('closed')
  })

  it('is used by the webhook route instead of the receiver', async () => {
    const { orders, logger } = createShop()
    const payments = createPayments({ orders, logger })
    const receiver = createWebhookReceiver({ payments, secrets: 'whsec_of_the_test' })
    const { app, url } = await listen(
      (await override(getReceiverToken(), receiver)).createNestApplication(),
    )
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 401 })
    const found: WebhookReceiver = app.get(getReceiverToken(), { strict: false })
    expect(found.stats()).toEqual({ invalid_signature: 1 })
    await app.close()
    await payments.close()
  })
})

/** Sends a request to an app that does not listen. */
const inject: Record<Platform, (app: INestApplication) => Promise<number>> = {
  async express(app) {
    // HTTP platforms use Node's server.
    const server = app.getHttpServer() as Server
    await new Promise<void>((resolve) => server.listen(0, resolve))
    // A server that listens on TCP has a port.
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
