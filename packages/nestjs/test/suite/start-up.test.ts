import { Injectable, Module } from '@nestjs/common'
import type { LoggerService, Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { memoryInbox, memoryOrderRepository } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type {
  TonplugModuleOptions,
  TonplugOptions,
  TonplugOptionsFactory,
} from '../../src/tonplug.options.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const orders = memoryOrderRepository()

function moduleOf(options: TonplugModuleOptions): Type {
  @Module({ imports: [TonplugModule.forRoot(options)] })
  class AppModule {}
  return AppModule
}

describe('an invalid configuration', () => {
  const start = (options: object) =>
    // Callers without type checks can pass any value.
    startApp(moduleOf({ path: 'a', ...options } as TonplugModuleOptions), { platform: 'express' })
  const payments = { orders }
  const secrets = 'whsec_a'

  it.each([
    [
      'no secret',
      { payments, webhook: {} },
      /^webhook\.secrets\[0\]: .*undefined.*TONPAY_WEBHOOK_SECRET/,
    ],
    [
      'an empty secret',
      { payments, webhook: { secrets: ' ' } },
      /^webhook\.secrets\[0\]: must not be empty/,
    ],
    [
      'a missing variable that became a string',
      { payments, webhook: { secrets: [`${String(new Map().get('SECRET'))}`] } },
      /^webhook\.secrets\[0\]: must be set; received "undefined" as a string/,
    ],
    [
      'a wallet that was not replaced',
      { payments: { ...payments, wallets: ['${SHOP_WALLET}'] }, webhook: { secrets } },
      /^payments\.wallets\[0\]: must not be a reference to a variable/,
    ],
    ...['', 'undefined', '${SHOP_WALLET}', null].map((wallet): [string, object, RegExp] => [
      `the wallet ${wallet}`,
      { path: undefined, wallet },
      /^wallet: must be a TON address/,
    ]),
    [
      'no orders',
      { payments: {}, webhook: { secrets } },
      /^payments\.orders: must be an OrderRepository/,
    ],
    [
      'orders without a method',
      { payments: { orders: { ...orders, complete: undefined } }, webhook: { secrets } },
      /^payments\.orders: .*complete/,
    ],
    [
      'an invalid number',
      { payments, webhook: { secrets, maxBodyBytes: 0 } },
      /^webhook\.maxBodyBytes/,
    ],
    [
      'a webhook without payments',
      { webhook: { secrets } },
      /^payments: is missing; webhook and watcher/,
    ],
    [
      'a watcher without payments',
      { path: undefined, watcher: true },
      /^payments: is missing; .* pass \{ payments: \{ orders \} \}/,
    ],
  ])('S9 is rejected at start with %s', async (_name, options, message) => {
    await expect(start(options)).rejects.toThrow(message)
  })

  it('is rejected at start when a factory returns nothing', async () => {
    @Module({
      imports: [TonplugModule.forRootAsync({ path: 'a', useFactory: () => undefined as never })],
    })
    class AppModule {}
    await expect(startApp(AppModule, { platform: 'express' })).rejects.toThrow(
      'options: must be an object; received undefined',
    )
  })
})

@WebhookController('webhooks/ton')
class PaymentsController {
  @OnPaid()
  ship(): void {}
}

describe('the start-up log', () => {
  it('has one line per instance, with its parts, inbox and handlers', async () => {
    const { logger } = createShop()
    @Module({
      imports: [
        TonplugModule.forRoot({
          network: 'testnet',
          payments: { orders, logger },
          webhook: { secrets: 'whsec_a' },
          watcher: true,
        }),
      ],
      controllers: [PaymentsController],
    })
    class AppModule {}
    await startApp(AppModule, { platform: 'fastify' })
    expect(logger.lines.filter(({ level }) => level === 'info')).toEqual([
      {
        level: 'info',
        message: 'payments started',
        fields: {
          instance: 'default',
          network: 'testnet',
          webhook: true,
          watcher: true,
          inbox: 'memory',
          handlers: ['onPaid.PaymentsController.ship'],
        },
      },
    ])
  })

  it('has a warning for an instance without a route', async () => {
    const shop = createShop()
    await startApp(moduleOf({ name: 'euros', ...optionsOf(shop) }), { platform: 'express' })
    expect(shop.logger.lines).toContainEqual({
      level: 'warn',
      message: 'webhook without a route; set the option path, or use @WebhookController',
      fields: { instance: 'euros' },
    })
  })

  it("is written to Nest's logger by default, without secrets", async () => {
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
      moduleOf({ path: 'webhooks/ton', payments: { orders }, webhook: { secrets: 'whsec_a' } }),
      { platform: 'express', options: { logger } },
    )
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    const ours = lines.filter((line) => line.at(-1) === 'Tonplug')
    expect(ours).toContainEqual([
      'log',
      expect.objectContaining({
        msg: 'payments started',
        instance: 'default',
        network: 'mainnet',
        handlers: [],
      }),
      'Tonplug',
    ])
    expect(ours).toContainEqual([
      'warn',
      { msg: expect.stringMatching(/^inbox is lost/), inbox: 'memory' },
      'Tonplug',
    ])
    expect(ours).toContainEqual([
      'warn',
      expect.objectContaining({
        msg: expect.stringMatching(/^webhook refused: invalid signature; /),
        kind: 'invalid_signature',
        reason: 'mismatch',
      }),
      'Tonplug',
    ])
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
      return optionsOf(shop)
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
          return optionsOf(shop)
        },
      },
    ],
  ])('accepts %s, with name and path next to it', async (_name, options) => {
    @Module({ imports: [TonplugModule.forRootAsync({ name: 'late', path: 'late', ...options })] })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform: 'fastify' })
    expect(await deliver(`${url}/late`, deliveries.valid)).toMatchObject({ status: 200 })
    expect(await shops.at(-1)?.orderStatus()).toBe('completed')
  })
})

describe('an application context without an HTTP server', () => {
  it('runs the handler tasks that another process stored', async () => {
    const shop = createShop()
    const inbox = memoryInbox()
    let isWorker = false
    let ran = (): void => undefined
    const hasRun = new Promise<void>((resolve) => (ran = resolve))
    @Injectable()
    class Handlers {
      @OnPaid()
      ship(): void {
        if (!isWorker) throw new Error('not here')
        ran()
      }
    }
    const options = optionsOf(shop, { inbox, handlerRetry: { minDelayMs: 1 } })
    @Module({
      imports: [TonplugModule.forRoot({ path: 'webhooks/ton', ...options })],
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
