import { Injectable, Module } from '@nestjs/common'
import type { INestApplication, LoggerService, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { memoryInbox, memoryOrderRepository, type OrderRepository } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type {
  TonplugModuleOptions,
  TonplugOptions,
  TonplugOptionsFactory,
} from '../../src/tonplug.options.js'
import { OnTransferPaid } from '../../src/webhook/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { startApp } from '../support/start-app.js'
import { complaintsOf, createShop, deliver, deliveries, webhookOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

type GlobalPrefixOptions = Parameters<INestApplication['setGlobalPrefix']>[1]

const orders = memoryOrderRepository()

function moduleOf(options: TonplugModuleOptions): Type {
  @Module({ imports: [TonplugModule.forRoot(options)] })
  class AppModule {}
  return AppModule
}

describe('a set-up that cannot work is an error at start', () => {
  const start = (webhook: object, others: object = {}) =>
    // What a user without type checks could give.
    startApp(moduleOf({ path: 'a', webhook, ...others } as TonplugModuleOptions), {
      platform: 'express',
    })

  it.each([
    ['no secret', { orders }, /secrets\[0\]: is undefined.*environment variable/],
    ['an empty secret', { orders, secrets: ' ' }, /secrets\[0\]: is empty/],
    ['no orders', { secrets: 'whsec_a' }, /orders: the order repository has no findByReference/],
    [
      'orders without a method',
      { secrets: 'whsec_a', orders: { ...orders, complete: undefined } },
      /orders: the order repository has no complete; implement OrderRepository/,
    ],
    ['a number that cannot be', { secrets: 'whsec_a', orders, maxBodyBytes: 0 }, /maxBodyBytes/],
  ])('S9 %s', async (_name, webhook, message) => {
    await expect(start(webhook)).rejects.toThrow(message)
  })

  it('options without webhook, as of a factory that forgot to return', async () => {
    @Module({
      imports: [TonplugModule.forRootAsync({ path: 'a', useFactory: () => undefined as never })],
    })
    class AppModule {}
    await expect(startApp(AppModule, { platform: 'express' })).rejects.toThrow(
      /webhook: is missing from the options of TonplugModule 'default'; give/,
    )
  })
})

class PrismaOrders implements OrderRepository {
  findByReference: OrderRepository['findByReference'] = (...query) =>
    orders.findByReference(...query)
  complete: OrderRepository['complete'] = (...facts) => orders.complete(...facts)
  recordFailure: OrderRepository['recordFailure'] = (...facts) => orders.recordFailure(...facts)
  listOpen: OrderRepository['listOpen'] = (query) => orders.listOpen(query)
}

@WebhookController('webhooks/ton')
class PaymentsController {
  @OnTransferPaid()
  ship(): void {}
}

describe('the start-up lines', () => {
  it('one per instance says path, headers, repository, inbox and handlers', async () => {
    const { logger } = createShop()
    @Module({
      imports: [
        TonplugModule.forRoot({
          network: 'testnet',
          webhook: { secrets: 'whsec_a', orders: new PrismaOrders(), logger },
        }),
      ],
      controllers: [PaymentsController],
    })
    class AppModule {}
    await startApp(AppModule, { platform: 'fastify' })
    expect(logger.lines.filter(({ level }) => level === 'info')).toEqual([
      {
        level: 'info',
        message: "receives webhooks of 'default' (testnet) at POST /webhooks/ton",
        fields: {
          signatureHeaders: ['x-pay-signature', 'x-tonpay-signature'],
          orders: 'PrismaOrders',
          inbox: 'memory, forgets when the process ends',
          handlers: ['onPaid.PaymentsController.ship'],
        },
      },
    ])
  })

  it.each<[string, GlobalPrefixOptions | undefined, string]>([
    ['has the prefix of the app', undefined, '/api/webhooks/ton'],
    ['has no prefix from which it is excluded', { exclude: ['webhooks/ton'] }, '/webhooks/ton'],
    ['has the prefix when another path is excluded', { exclude: ['ton'] }, '/api/webhooks/ton'],
  ])('the path %s', async (_name, prefixOptions, path) => {
    const shop = createShop()
    const { url } = await startApp(moduleOf({ path: 'webhooks/ton', webhook: webhookOf(shop) }), {
      platform: 'express',
      prepare: (app) => app.setGlobalPrefix('api', prefixOptions),
    })
    expect(shop.logger.lines.map(({ message }) => message)).toContain(
      `receives webhooks of 'default' (mainnet) at POST ${path}`,
    )
    expect(await deliver(url + path, deliveries.valid)).toMatchObject({ status: 200 })
  })

  it('an instance without a route is warned of', async () => {
    const shop = createShop()
    await startApp(moduleOf({ name: 'euros', webhook: webhookOf(shop) }), { platform: 'express' })
    expect(complaintsOf(shop)).toContainEqual(
      expect.stringMatching(
        /'euros' has no route.*@WebhookController\(\{ path: 'webhooks\/ton', name: 'euros' \}\)/,
      ),
    )
  })

  it("go to Nest's logger by default, without secrets", async () => {
    const lines: unknown[][] = []
    const record =
      (level: string) =>
      (...parameters: unknown[]) =>
        void lines.push([level, ...parameters])
    const logger: LoggerService = {
      log: record('log'),
      error: record('error'),
      warn: record('warn'),
      debug: record('debug'),
    }
    const { url } = await startApp(
      moduleOf({ path: 'webhooks/ton', webhook: { secrets: 'whsec_a', orders } }),
      { platform: 'express', options: { logger } },
    )
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    const ours = lines.filter((line) => line.at(-1) === 'Tonplug')
    expect(ours).toContainEqual([
      'log',
      expect.stringMatching(
        /^receives webhooks of 'default' \(mainnet\) at POST \/webhooks\/ton \{ sig/,
      ),
      'Tonplug',
    ])
    expect(ours).toContainEqual(['warn', expect.stringMatching(/memory inbox forgets/), 'Tonplug'])
    expect(ours).toContainEqual(['warn', expect.stringMatching(/signature mismatch/), 'Tonplug'])
    expect(JSON.stringify(lines)).not.toContain('whsec_a')
  })
})

describe('forRootAsync', () => {
  const CONFIG = 'config'
  const shops: Shop[] = []

  @Injectable()
  class OptionsFactory implements TonplugOptionsFactory {
    createTonplugOptions(): TonplugOptions {
      const shop = createShop()
      shops.push(shop)
      return { webhook: webhookOf(shop) }
    }
  }
  @Module({
    providers: [{ provide: CONFIG, useFactory: createShop }, OptionsFactory],
    exports: [CONFIG, OptionsFactory],
  })
  class ConfigModule {}

  it.each([
    ['useClass', { useClass: OptionsFactory }],
    ['useExisting', { imports: [ConfigModule], useExisting: OptionsFactory }],
    [
      'useFactory',
      {
        imports: [ConfigModule],
        inject: [CONFIG],
        useFactory: async (shop: Shop): Promise<TonplugOptions> => {
          shops.push(shop)
          return { webhook: webhookOf(shop) }
        },
      },
    ],
  ])('%s, with name and path outside', async (_name, options) => {
    @Module({ imports: [TonplugModule.forRootAsync({ name: 'late', path: 'late', ...options })] })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform: 'fastify' })
    expect(await deliver(`${url}/late`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(await shops.at(-1)?.orderStatus()).toBe('completed')
  })
})

describe('without an HTTP server', () => {
  it('an application context runs the handlers that another process left, as a worker does', async () => {
    const shop = createShop()
    const inbox = memoryInbox()
    let isWorker = false
    let ran = (): void => undefined
    const hasRun = new Promise<void>((resolve) => (ran = resolve))
    @Injectable()
    class Handlers {
      @OnTransferPaid()
      ship(): void {
        if (!isWorker) throw new Error('not here')
        ran()
      }
    }
    const webhook = { ...webhookOf(shop), inbox, handlerRetry: { minDelayMs: 1 } }
    @Module({
      imports: [TonplugModule.forRoot({ path: 'webhooks/ton', webhook })],
      providers: [Handlers],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform: 'express' })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await app.close()
    isWorker = true
    const context = await NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    })
    onTestFinished(() => context.close())
    await hasRun
  })
})
