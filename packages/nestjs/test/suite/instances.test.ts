import { Controller, Get, Inject, Injectable, Module, Scope } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'
import { RouterModule } from '@nestjs/core'
import { memoryInbox } from '@tonplug/core'
import type { PaidTransfer, WebhookReceiver } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { InjectReceiver } from '../../src/tonplug.tokens.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const SHOPS = 'shops'
const secretOf = { rubles: 'whsec_rubles', euros: 'whsec_euros' }

type ShopName = keyof typeof secretOf
type Shops = Record<ShopName, Shop>

function createShops(): Shops {
  return { rubles: createShop(), euros: createShop(['order-1', 'order-2']) }
}

function instance(name: ShopName, shop: Shop, extras: object = {}): DynamicModule {
  return TonplugModule.forRoot({
    name,
    network: name === 'rubles' ? 'mainnet' : 'testnet',
    ...optionsOf(shop, {}, { secrets: secretOf[name] }),
    ...extras,
  })
}

/** Records each handler in the shop of the order. */
class Notes {
  constructor(@Inject(SHOPS) private readonly shops: Shops) {}

  note(shop: ShopName, by: string, { order }: PaidTransfer): void {
    this.shops[shop].handled.push({ by, reference: order.reference })
  }
}

@WebhookController({ path: 'webhooks/rubles', name: 'rubles' })
class RublesController extends Notes {
  @OnPaid()
  ofItsOwn(event: PaidTransfer): void {
    this.note('rubles', 'RublesController', event)
  }

  @OnPaid({ name: 'euros' })
  ofTheOther(event: PaidTransfer): void {
    this.note('euros', 'RublesController', event)
  }
}

@Injectable()
class Handlers extends Notes {
  @OnPaid({ name: 'rubles' })
  rubles(event: PaidTransfer): void {
    this.note('rubles', 'Handlers', event)
  }

  @OnPaid({ name: 'rubles' })
  @OnPaid({ name: 'euros' })
  both({ order }: PaidTransfer): void {
    void order
  }
}

function globals(shops: Shops): DynamicModule {
  @Module({})
  class GlobalsModule {}
  const provider = { provide: SHOPS, useValue: shops }
  return { module: GlobalsModule, global: true, providers: [provider], exports: [provider] }
}

const pay = (reference: string, secret: string) =>
  signPayload(transferCompleted({ reference }), secret)

describe.each(platforms)('S60 two instances in one app, %s', (platform) => {
  it('have their own path, secret, orders and handlers', async () => {
    const shops = createShops()
    @Module({
      imports: [
        globals(shops),
        instance('rubles', shops.rubles),
        instance('euros', shops.euros, { path: 'webhooks/euros' }),
      ],
      controllers: [RublesController],
      providers: [Handlers],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    const send = async (path: ShopName, reference: string, secret: string) =>
      (await deliver(`${url}/webhooks/${path}`, pay(reference, secret))).status

    expect(await send('rubles', 'order-1', secretOf.euros)).toBe(401)
    expect(await send('euros', 'order-1', secretOf.rubles)).toBe(401)
    expect(await send('rubles', 'order-1', secretOf.rubles)).toBe(200)
    expect(await shops.rubles.orderStatus()).toBe('completed')
    expect(await shops.euros.orderStatus()).toBe('pending')
    expect(await send('euros', 'order-2', secretOf.euros)).toBe(200)
    expect(await shops.euros.orderStatus('order-2')).toBe('completed')

    await app.close()
    expect(shops.rubles.handled.toSorted((a, b) => a.by.localeCompare(b.by))).toEqual([
      { by: 'Handlers', reference: 'order-1' },
      { by: 'RublesController', reference: 'order-1' },
    ])
    expect(shops.euros.handled).toEqual([{ by: 'RublesController', reference: 'order-2' }])
  })

  it('are separate in a shared inbox', async () => {
    const shops = createShops()
    const inbox = memoryInbox()
    const share = (name: ShopName, path: string): DynamicModule => {
      const options = optionsOf(shops[name], { inbox }, { secrets: secretOf[name] })
      return TonplugModule.forRoot({ name, path, ...options })
    }
    @Injectable()
    class BothHandlers extends Notes {
      @OnPaid({ name: 'rubles' })
      @OnPaid({ name: 'euros' })
      paid(event: PaidTransfer): void {
        this.note('euros', 'BothHandlers', event)
      }
    }
    @Module({
      imports: [globals(shops), share('rubles', 'a'), share('euros', 'b')],
      providers: [BothHandlers],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    expect(await deliver(`${url}/a`, pay('order-1', secretOf.rubles))).toMatchObject({
      status: 200,
    })
    expect(await deliver(`${url}/b`, pay('order-1', secretOf.euros))).toMatchObject({ status: 200 })
    await app.close()
    expect([await shops.rubles.orderStatus(), await shops.euros.orderStatus()]).toEqual([
      'completed',
      'completed',
    ])
    expect(shops.euros.handled).toHaveLength(2)
  })

  it('may have equal paths with different prefixes of RouterModule', async () => {
    const shops = createShops()
    @Module({ imports: [instance('rubles', shops.rubles, { path: 'ton' })] })
    class RublesModule {}
    @WebhookController({ path: 'ton', name: 'euros' })
    class EurosController {}
    @Module({ imports: [instance('euros', shops.euros)], controllers: [EurosController] })
    class EurosModule {}
    @WebhookController({ path: 'ton', name: 'rubles' })
    class OtherRublesController {}
    @Module({ controllers: [OtherRublesController] })
    class OtherRublesModule {}
    @Module({
      imports: [
        RublesModule,
        EurosModule,
        OtherRublesModule,
        RouterModule.register([
          { path: 'euros', module: EurosModule },
          { path: 'rubles', module: OtherRublesModule },
        ]),
      ],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    const { rubles, euros } = secretOf
    const statusOf = async (path: string, secret: string) =>
      (await deliver(`${url}${path}`, pay('order-1', secret))).status
    expect(await statusOf('/euros/ton', rubles)).toBe(401)
    expect(await statusOf('/euros/ton', euros)).toBe(200)
    expect(await statusOf('/rubles/ton', euros)).toBe(401)
    expect(await statusOf('/rubles/ton', rubles)).toBe(200)
    expect(await statusOf('/ton', rubles)).toBe(200)
    expect(await shops.euros.orderStatus()).toBe('completed')
    expect(await shops.rubles.orderStatus()).toBe('completed')
  })

  it('are created once when several modules import one module object', async () => {
    const shops = createShops()
    const shared = instance('rubles', shops.rubles, { path: 'webhooks/rubles' })
    @Controller('stats')
    class StatsController {
      constructor(@InjectReceiver('rubles') private readonly receiver: WebhookReceiver) {}

      @Get()
      stats() {
        return this.receiver.stats()
      }
    }
    @Module({ imports: [shared], controllers: [StatsController] })
    class StatsModule {}
    @Module({ imports: [globals(shops), shared, StatsModule], providers: [] })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    expect(await deliver(`${url}/webhooks/rubles`, pay('order-1', secretOf.rubles))).toMatchObject({
      status: 200,
    })
    expect((await request(url).get('/stats')).body).toEqual({ paid: 1 })
  })

  it('have a receiver that every module can inject with isGlobal', async () => {
    const shops = createShops()
    const receivers: WebhookReceiver[] = []
    @Injectable()
    class Service {
      constructor(@InjectReceiver('rubles') receiver: WebhookReceiver) {
        receivers.push(receiver)
      }
    }
    @Module({ providers: [Service] })
    class FeatureModule {}
    @Module({
      imports: [FeatureModule, instance('rubles', shops.rubles, { path: 'a', isGlobal: true })],
    })
    class AppModule {}
    await startApp(AppModule, { platform })
    expect(receivers).toHaveLength(1)
  })
})

describe('S60 an invalid set of instances', () => {
  const twoModules = (...imports: DynamicModule[]): Type => {
    const shops = createShops()
    @Module({ imports: [globals(shops), ...imports] })
    class AppModule {}
    return AppModule
  }
  const start = (module: Type) => startApp(module, { platform: 'express' })

  it('is rejected at start with one module that is imported twice', async () => {
    const shop = createShop()
    const twice = twoModules(
      instance('rubles', shop, { path: 'a' }),
      instance('rubles', shop, { path: 'a' }),
    )
    await expect(start(twice)).rejects.toThrow(
      /TonplugModule of 'rubles': is imported twice with the name 'rubles'\. Import it once.*set a different name/,
    )
  })

  it.each<[string, object, RegExp]>([
    ['secrets', optionsOf(createShop(), {}, { secrets: '' }), /^webhook.secrets\[0\]/],
    ['network', { network: 'mainet' }, /^network/],
    ['payments', optionsOf(createShop(), { wallets: ['no wallet'] }), /^payments.wallets\[0\]/],
  ])(
    'is rejected at start with an invalid option, which the error attributes to its instance: %s',
    async (_name, extras, option) => {
      const { rubles, euros } = createShops()
      const broken = instance('euros', euros, extras)
      await expect(start(twoModules(instance('rubles', rubles), broken))).rejects.toThrow(
        new RegExp(`${option.source} of 'euros': `),
      )
    },
  )

  it('is rejected at start with a handler or a controller of an unknown instance', async () => {
    const shops = createShops()
    @Module({
      imports: [globals(shops), instance('euros', shops.euros, { path: 'a' })],
      providers: [Handlers],
    })
    class WithHandlers {}
    await expect(start(WithHandlers)).rejects.toThrow(
      /instance 'rubles': no TonplugModule has this name; known names: 'euros'/,
    )
    @Module({
      imports: [globals(shops), instance('euros', shops.euros)],
      controllers: [RublesController],
    })
    class WithController {}
    await expect(start(WithController)).rejects.toThrow(/no TonplugModule has this name/)
  })

  it('is rejected at start with a module whose options depend on a request-scoped provider', async () => {
    const SECRET_OF_REQUEST = 'secret of a request'
    const provider = { provide: SECRET_OF_REQUEST, scope: Scope.REQUEST, useFactory: () => 'a' }
    @Module({ providers: [provider], exports: [provider] })
    class RequestModule {}
    const scoped = TonplugModule.forRootAsync({
      path: 'webhooks/ton',
      imports: [RequestModule],
      inject: [SECRET_OF_REQUEST],
      useFactory: (secrets: string) => optionsOf(createShop(), {}, { secrets }),
    })
    await expect(start(twoModules(scoped))).rejects.toThrow(
      /^instance 'default': no TonplugModule has this name; known names: none\. .*request-scoped provider in `inject`/,
    )
    const { euros } = createShops()
    await expect(start(twoModules(instance('euros', euros), scoped))).rejects.toThrow(
      /^instance 'default': no TonplugModule has this name; known names: 'euros'.*request-scoped/,
    )
  })

  it('is rejected at start with a webhook controller but no module', async () => {
    @WebhookController('webhooks/ton')
    class PaymentsController {}
    @Module({ controllers: [PaymentsController] })
    class AppModule {}
    await expect(start(AppModule)).rejects.toThrow(/imports: \[TonplugModule\.forRoot/)
  })
})
