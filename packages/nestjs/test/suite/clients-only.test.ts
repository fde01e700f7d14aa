import { Controller, Get, Inject, Injectable, Module, Optional, UseGuards } from '@nestjs/common'
import type { CanActivate, DynamicModule, LoggerService, Type } from '@nestjs/common'
import type { WebhookReceiver } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { getReceiverToken, InjectReceiver } from '../../src/tonplug.tokens.js'
import { V2Service } from '../../src/v2.service.js'
import { OnTransferPaid } from '../../src/webhook/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { address, startApi } from '../support/api-server.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, webhookOf } from '../support/shop.js'

@Controller('balance')
class BalanceController {
  constructor(private readonly v2: V2Service) {}

  @Get()
  async balance(): Promise<string> {
    return (await this.v2.getAddressBalance({ address })).toString()
  }
}

@Injectable()
class ByConstructor {
  constructor(@InjectReceiver() readonly receiver: WebhookReceiver) {}
}

@Injectable()
class ByProperty {
  @InjectReceiver()
  readonly receiver!: WebhookReceiver
}

@Injectable()
class ReceiverGuard implements CanActivate {
  constructor(@InjectReceiver() readonly receiver: WebhookReceiver) {}

  canActivate(): boolean {
    return true
  }
}

@UseGuards(ReceiverGuard)
@Controller()
class GuardedController {}

const byFactory = { provide: 'made', inject: [getReceiverToken()], useFactory: () => 'made' }
const byOptional = {
  provide: 'made',
  inject: [{ token: getReceiverToken(), optional: true }],
  useFactory: () => 'made',
}

const imports: [string, () => DynamicModule][] = [
  ['forRoot', () => TonplugModule.forRoot({ network: 'testnet' })],
  ['forRootAsync', () => TonplugModule.forRootAsync({ useFactory: () => ({}) })],
]

describe.each(platforms)('an app with the clients alone, %s', (platform) => {
  it('has no receiver, no route and nothing to say about them', async () => {
    const { baseUrl } = await startApi({ balance: '9' })
    const lines: string[] = []
    const record = (...parameters: unknown[]): void => void lines.push(parameters.join(' '))
    const logger: LoggerService = { log: record, error: record, warn: record, debug: record }
    @Module({ imports: [TonplugModule.forRoot({ baseUrl })], controllers: [BalanceController] })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform, options: { logger } })
    expect(await (await fetch(`${url}/balance`)).text()).toBe('9')
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 404 })
    await app.close()
    expect(lines.filter((line) => /webhook|handler|Tonplug$/.test(line))).toEqual([])
  })

  it('may have a webhook under another name', async () => {
    const shop = createShop()
    const { baseUrl } = await startApi({ balance: '9' })
    @Module({
      imports: [
        TonplugModule.forRoot({ baseUrl }),
        TonplugModule.forRoot({ name: 'shop', path: 'webhooks/ton', webhook: webhookOf(shop) }),
      ],
      controllers: [BalanceController],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    expect(await (await fetch(`${url}/balance`)).text()).toBe('9')
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
  })
})

describe.each(imports)('without webhook, by %s', (_name, importModule) => {
  const start = (metadata: { providers?: object[]; controllers?: Type[] }) => {
    @Module({ imports: [importModule()], ...metadata } as object)
    class AppModule {}
    return startApp(AppModule, { platform: 'express' })
  }

  it.each([
    ['a constructor', { providers: [ByConstructor] }, 'ByConstructor'],
    ['a property', { providers: [ByProperty] }, 'ByProperty'],
    ['a guard', { controllers: [GuardedController] }, 'ReceiverGuard'],
    ['a factory', { providers: [byFactory] }, 'made'],
    ['a factory that could do without', { providers: [byOptional] }, 'made'],
  ])('the receiver cannot be injected into %s', async (_place, metadata, injector) => {
    await expect(start(metadata)).rejects.toThrow(
      `webhook: is missing from the options of TonplugModule 'default', so there is no receiver for ${injector} to inject; give { webhook: { secrets, orders } }`,
    )
  })

  it('a handler or a webhook controller is an error at start', async () => {
    const problem =
      "instance 'default': its TonplugModule has no webhook; give it { webhook: { secrets, orders } }"
    @Injectable()
    class Handlers {
      @OnTransferPaid()
      ship(): void {}
    }
    await expect(start({ providers: [Handlers] })).rejects.toThrow(problem)
    @WebhookController('webhooks/ton')
    class PaymentsController {}
    await expect(start({ controllers: [PaymentsController] })).rejects.toThrow(problem)
  })

  it('whoever injects something else is left in peace', async () => {
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

describe('a path without webhook', () => {
  const problem =
    "webhook: is missing from the options of TonplugModule 'default'; give { webhook: { secrets, orders } }, or take path away if it is for the clients alone"

  it.each([
    ['forRoot', () => TonplugModule.forRoot({ path: 'webhooks/ton' })],
    [
      'forRootAsync',
      () => TonplugModule.forRootAsync({ path: 'webhooks/ton', useFactory: () => ({}) }),
    ],
  ])('is an error at start, by %s', async (_name, importModule) => {
    @Module({ imports: [importModule()] })
    class AppModule {}
    await expect(startApp(AppModule, { platform: 'express' })).rejects.toThrow(problem)
  })
})
