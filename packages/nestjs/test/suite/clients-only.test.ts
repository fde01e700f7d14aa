import { Controller, Get, Inject, Injectable, Module, Optional } from '@nestjs/common'
import type { DynamicModule, LoggerService, Type } from '@nestjs/common'
import { createTransferReport } from '@tonplug/core'
import type { PaidTransfer, Payments } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getReceiverToken, InjectPayments } from '../../src/tonplug.tokens.js'
import { V2Service } from '../../src/services.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { address, startMockNode } from '../support/mock-node.js'
import { platforms, startApp } from '../support/start-app.js'
import { problemsOf, createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

@Controller('balance')
class BalanceController {
  constructor(private readonly v2: V2Service) {}

  @Get()
  async balance(): Promise<string> {
    return (await this.v2.getAddressBalance({ address })).toString()
  }
}

const imports: [string, () => DynamicModule][] = [
  ['forRoot', () => TonplugModule.forRoot({ network: 'testnet' })],
  ['forRootAsync', () => TonplugModule.forRootAsync({ useFactory: () => ({}) })],
]

describe.each(platforms)('an app with only the clients, %s', (platform) => {
  it('has no receiver and no route, and logs nothing about them', async () => {
    const { baseUrl } = await startMockNode({ balance: '9' })
    const lines: string[] = []
    const record = (...parameters: unknown[]): void => void lines.push(parameters.join(' '))
    const logger: LoggerService = { log: record, error: record, warn: record, debug: record }
    @Module({ imports: [TonplugModule.forRoot({ baseUrl })], controllers: [BalanceController] })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform, options: { logger } })
    expect((await request(url).get('/balance')).text).toBe('9')
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 404 })
    await app.close()
    expect(lines.filter((line) => /webhook|handler|Tonplug$/.test(line))).toEqual([])
  })

  it('may have a webhook in another instance', async () => {
    const shop = createShop()
    const { baseUrl } = await startMockNode({ balance: '9' })
    @Module({
      imports: [
        TonplugModule.forRoot({ baseUrl }),
        TonplugModule.forRoot({ name: 'shop', path: 'webhooks/ton', ...optionsOf(shop) }),
      ],
      controllers: [BalanceController],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    expect((await request(url).get('/balance')).text).toBe('9')
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
  })
})

describe.each(imports)('an app without webhook, by %s', (_name, importModule) => {
  const start = (metadata: { providers?: object[]; controllers?: Type[] }) => {
    @Module({ imports: [importModule()], ...metadata } as object)
    class AppModule {}
    return startApp(AppModule, { platform: 'express' })
  }

  it('has a token whose value is undefined', async () => {
    const { app } = await start({})
    expect(app.get(getReceiverToken(), { strict: false })).toBeUndefined()
  })

  it('rejects a handler and a webhook controller at start', async () => {
    const problem =
      "instance 'default': its TonplugModule has no payments; pass { payments: { orders } }"
    @Injectable()
    class Handlers {
      @OnPaid()
      ship(): void {}
    }
    await expect(start({ providers: [Handlers] })).rejects.toThrow(problem)
    @WebhookController('webhooks/ton')
    class PaymentsController {}
    await expect(start({ controllers: [PaymentsController] })).rejects.toThrow(problem)
  })

  it('accepts other injections', async () => {
    @Injectable()
    class Service {
      constructor(
        readonly v2: V2Service,
        @Optional() @Inject('nothing') readonly nothing?: unknown,
      ) {}
    }
    const { app } = await start({ providers: [Service] })
    expect(app.get(Service).v2).toBe(app.get(V2Service))
  })
})

describe('payments without webhook', () => {
  const start = (shop: Shop, metadata: { providers?: Type[]; controllers?: Type[] }) => {
    @Module({
      imports: [TonplugModule.forRoot({ payments: optionsOf(shop).payments })],
      ...metadata,
    })
    class AppModule {}
    return startApp(AppModule, { platform: 'express' })
  }

  it('run handlers for reports that the app submits', async () => {
    const shop = createShop()
    @Injectable()
    class Door {
      constructor(@InjectPayments() readonly payments: Payments) {}

      @OnPaid()
      ship({ order, source }: PaidTransfer): void {
        shop.handled.push({ by: source, reference: order.reference })
      }
    }
    const { app } = await start(shop, { providers: [Door] })
    const report = createTransferReport(transferCompleted().data, { source: 'chain' })
    const decision = await app.get(Door).payments.submit(report)
    expect(decision).toMatchObject({ kind: 'paid', source: 'chain' })
    await app.close()
    expect(shop.handled).toEqual([{ by: 'chain', reference: 'order-1' }])
    expect(problemsOf(shop)).toEqual([])
  })

  it('do not have a webhook route', async () => {
    const problem =
      "instance 'default': its TonplugModule has no webhook; pass { webhook: { secrets } }"
    @WebhookController('webhooks/ton')
    class PaymentsController {}
    await expect(start(createShop(), { controllers: [PaymentsController] })).rejects.toThrow(
      problem,
    )
  })
})

describe('a path without webhook', () => {
  const problem =
    "instance 'default': its TonplugModule has no payments; pass { payments: { orders } }"

  it.each([
    ['forRoot', () => TonplugModule.forRoot({ path: 'webhooks/ton' })],
    [
      'forRootAsync',
      () => TonplugModule.forRootAsync({ path: 'webhooks/ton', useFactory: () => ({}) }),
    ],
  ])('is rejected at start, by %s', async (_name, importModule) => {
    @Module({ imports: [importModule()] })
    class AppModule {}
    await expect(startApp(AppModule, { platform: 'express' })).rejects.toThrow(problem)
  })
})
