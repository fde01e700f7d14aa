import { Inject, Injectable, Module, Scope } from '@nestjs/common'
import type { ModuleMetadata, Provider, Type } from '@nestjs/common'
import { REQUEST } from '@nestjs/core'
import { memoryInbox } from '@tonplug/core'
import type { HandlerContext, MismatchedTransfer, PaidTransfer, UnknownOrder } from '@tonplug/core'
import { createFakeClock, signPayload, transferCompleted, transferFailed } from '@tonplug/testing'
import { defer, ignoreElements, map, Observable, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import {
  OnExtraPayment,
  OnFailed,
  OnMismatch,
  OnPaid,
  OnUnknownOrder,
} from '../../src/payments/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { startApp } from '../support/start-app.js'
import type { RunningApp } from '../support/start-app.js'
import { problemsOf, createShop, deliver, deliveries, SECRET, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

const SHOP = 'shop'

@Injectable()
class Handlers {
  constructor(@Inject(SHOP) readonly shop: Shop) {}

  @OnPaid()
  paid({ order }: PaidTransfer): void {
    this.shop.handled.push({ by: this.constructor.name, reference: order.reference })
  }
}

@Injectable()
class Subclass extends Handlers {}

/** Overrides the method and inherits its decorator. */
@Injectable()
class Overriding extends Handlers {
  override paid({ order }: PaidTransfer): void {
    this.shop.handled.push({ by: 'override', reference: order.reference })
  }
}

@Injectable({ scope: Scope.REQUEST })
class RequestScoped extends Handlers {
  constructor(
    @Inject(SHOP) shop: Shop,
    @Inject(REQUEST) private readonly event: PaidTransfer,
  ) {
    super(shop)
  }

  override paid({ order, payment }: PaidTransfer): void {
    const by = this.event.payment === payment ? 'RequestScoped' : 'another event'
    this.shop.handled.push({ by, reference: order.reference })
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class Transient extends Handlers {}

/** Request-scoped because of its dependency. */
@WebhookController('webhooks/controller')
class RequestScopedController {
  constructor(
    @Inject(SHOP) private readonly shop: Shop,
    @Inject(RequestScoped) private readonly dependency: RequestScoped,
  ) {}

  @OnPaid()
  paid({ order }: PaidTransfer): void {
    const by = this.dependency instanceof RequestScoped ? this.constructor.name : 'no dependency'
    this.shop.handled.push({ by, reference: order.reference })
  }
}

function createModule(shop: Shop, { providers = [], ...rest }: ModuleMetadata): Type {
  @Module({
    ...rest,
    imports: [
      TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(shop) }),
      ...(rest.imports ?? []),
    ],
    providers: [{ provide: SHOP, useValue: shop }, ...providers],
  })
  class AppModule {}
  return AppModule
}

async function pay(shop: Shop, metadata: ModuleMetadata, path = 'webhooks/ton'): Promise<string[]> {
  const { app, url } = await startApp(createModule(shop, metadata), { platform: 'express' })
  expect(await deliver(`${url}/${path}`, deliveries.valid)).toMatchObject({ status: 200 })
  await app.close()
  return shop.handled.map(({ by }) => by)
}

const found: Record<string, { provider: Provider; by: string }> = {
  'a class': { provider: Handlers, by: 'Handlers' },
  'a class that inherits its methods': { provider: Subclass, by: 'Subclass' },
  'a class that overrides a method': { provider: Overriding, by: 'override' },
  'a class under another token': { provider: { provide: 'x', useClass: Handlers }, by: 'Handlers' },
  'a value': {
    provider: { provide: 'x', useFactory: (shop: Shop) => new Handlers(shop), inject: [SHOP] },
    by: 'Handlers',
  },
  'the promise of a factory': {
    provider: {
      provide: 'x',
      useFactory: async (shop: Shop) => new Subclass(shop),
      inject: [SHOP],
    },
    by: 'Subclass',
  },
  'S61 a request-scoped class': { provider: RequestScoped, by: 'RequestScoped' },
  'S61 a request-scoped class under another token': {
    provider: { provide: Symbol('x'), useClass: RequestScoped },
    by: 'RequestScoped',
  },
  'S61 a request-scoped factory under its class': {
    provider: {
      provide: Handlers,
      useFactory: (shop: Shop) => new Handlers(shop),
      inject: [SHOP],
      scope: Scope.REQUEST,
    },
    by: 'Handlers',
  },
  'S61 a transient class': { provider: Transient, by: 'Transient' },
}

describe('a handler', () => {
  it.each(Object.entries(found))(
    'runs once for each payment in %s',
    async (_name, { provider, by }) => {
      const shop = createShop()
      expect(await pay(shop, { providers: [provider] })).toEqual([by])
      expect(problemsOf(shop)).toEqual([])
    },
  )

  it('S61 runs once for each payment in a controller that is request-scoped because of a dependency', async () => {
    const shop = createShop()
    const metadata = { providers: [RequestScoped], controllers: [RequestScopedController] }
    expect((await pay(shop, metadata, 'webhooks/controller')).toSorted()).toEqual([
      'RequestScoped',
      'RequestScopedController',
    ])
  })

  it('runs once for each payment in a module class', async () => {
    const shop = createShop()
    @Module({ imports: [] })
    class FeatureModule {
      @OnPaid()
      paid({ order }: PaidTransfer): void {
        shop.handled.push({ by: 'FeatureModule', reference: order.reference })
      }
    }
    expect(await pay(shop, { imports: [FeatureModule] })).toEqual(['FeatureModule'])
  })

  it('runs once for each payment in one object that is provided under several tokens', async () => {
    const shop = createShop()
    const providers = [
      Handlers,
      { provide: 'alias', useExisting: Handlers },
      { provide: 'again', useFactory: (handlers: Handlers) => handlers, inject: [Handlers] },
    ]
    expect(await pay(shop, { providers })).toEqual(['Handlers'])
  })

  it('runs once for each payment under a decorator that wraps the method', async () => {
    const shop = createShop()
    const wrap =
      (): MethodDecorator =>
      (_target, _key, descriptor): void => {
        const inner = descriptor.value as unknown as (...parameters: unknown[]) => unknown
        const wrapper = function (this: unknown, ...parameters: unknown[]): unknown {
          return inner.apply(this, parameters)
        }
        descriptor.value = wrapper as never
      }
    @Injectable()
    class Wrapped {
      @wrap()
      @OnPaid()
      paid({ order }: PaidTransfer): void {
        shop.handled.push({ by: 'Wrapped', reference: order.reference })
      }
    }
    expect(await pay(shop, { providers: [Wrapped] })).toEqual(['Wrapped'])
  })
})

describe('handler decorators', () => {
  it('receive the events of their kind, with a context', async () => {
    const shop = createShop(['order-1', 'order-2', 'order-3'])
    const seen: Record<string, unknown> = {}
    @Injectable()
    class AllHandlers {
      @OnPaid()
      paid(event: PaidTransfer, context: HandlerContext): void {
        seen['paid'] = [event.order.reference, context]
      }

      @OnFailed()
      failed({ failure }: { failure: { errorCode?: number | undefined } }): void {
        seen['failed'] = failure.errorCode
      }

      @OnMismatch()
      mismatch({ decision, reason }: MismatchedTransfer): void {
        seen['mismatch'] = [decision.kind, reason]
      }

      @OnUnknownOrder()
      unknown({ transfer, merchant }: UnknownOrder): void {
        seen['unknown'] = [merchant, transfer.reference]
      }

      @OnExtraPayment()
      extra({ decision }: { decision: { kind: string } }): void {
        seen['extra'] = decision.kind
      }
    }
    const { app, url } = await startApp(createModule(shop, { providers: [AllHandlers] }), {
      platform: 'express',
    })
    const payloads = [
      transferCompleted(),
      transferCompleted({ txHash: 'b'.repeat(64) }),
      transferFailed({ reference: 'order-2' }),
      transferCompleted({ reference: 'order-3', rawAmount: '1' }),
      transferCompleted({ reference: 'nobody' }),
    ]
    for (const payload of payloads) {
      const answer = await deliver(`${url}/webhooks/ton`, signPayload(payload, SECRET))
      expect(answer).toMatchObject({ status: 200 })
    }
    await app.close()
    expect(seen).toEqual({
      paid: [
        'order-1',
        expect.objectContaining({ idempotencyKey: expect.any(String), attempt: 1 }),
      ],
      extra: 'extra_payment',
      failed: 36,
      mismatch: ['amount_mismatch', 'underpaid'],
      unknown: ['', 'nobody'],
    })
  })

  it('S62 are optional: without one the payment is recorded, and a warning is logged', async () => {
    const shop = createShop()
    expect(await pay(shop, {})).toEqual([])
    expect(await shop.orderStatus()).toBe('completed')
    expect(problemsOf(shop)).toEqual([
      expect.stringMatching(/^no handler for paid orders.*@OnPaid\(\)/),
    ])
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        fields: { instance: 'default' },
      }),
    )
  })
})

describe('a handler that returns an Observable', () => {
  async function start(shop: Shop, handlers: Type, options: object = {}): Promise<RunningApp> {
    @Module({
      imports: [
        TonplugModule.forRoot({
          path: 'webhooks/ton',
          ...optionsOf(shop, options),
        }),
      ],
      providers: [handlers],
    })
    class AppModule {}
    return startApp(AppModule, { platform: 'express' })
  }

  it('is subscribed once and awaited, whether it emits or not, returned or promised', async () => {
    const shop = createShop()
    const note = (by: string, { order }: PaidTransfer): void =>
      void shop.handled.push({ by, reference: order.reference })
    @Injectable()
    class Mailer {
      @OnPaid()
      emits(event: PaidTransfer): Observable<string> {
        return defer(async () => note('emits', event)).pipe(map(() => 'sent'))
      }

      @OnPaid()
      isEmpty(event: PaidTransfer): Observable<never> {
        return defer(async () => note('isEmpty', event)).pipe(ignoreElements())
      }

      @OnPaid()
      async promised(event: PaidTransfer): Promise<Observable<unknown>> {
        return defer(async () => note('promised', event))
      }
    }
    const { app, url } = await start(shop, Mailer)
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await app.close()
    expect(shop.handled.map(({ by }) => by).toSorted()).toEqual(['emits', 'isEmpty', 'promised'])
  })

  it('is retried when the Observable fails', async () => {
    const shop = createShop()
    const clock = createFakeClock()
    const attempts: number[] = []
    @Injectable()
    class Mailer {
      @OnPaid()
      send(_event: PaidTransfer, { attempt }: HandlerContext): Observable<string> {
        return defer(() => {
          attempts.push(attempt)
          return attempt === 1 ? throwError(() => new Error('no mail today')) : of('sent')
        })
      }
    }
    const { url } = await start(shop, Mailer, { clock })
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    const attemptsLater = async (): Promise<number[]> => {
      await clock.advance(1000)
      return attempts
    }
    await expect.poll(attemptsLater).toEqual([1, 2])
    const failed = shop.logger.lines.find(({ message }) => message.startsWith('handler failed'))
    expect(failed?.fields).toMatchObject({ attempt: 1, error: { message: 'no mail today' } })
  })

  it('is unsubscribed after handlerTimeoutMs, which counts as a failed attempt', async () => {
    const shop = createShop()
    const clock = createFakeClock()
    const log: string[] = []
    @Injectable()
    class Mailer {
      @OnPaid()
      send(): Observable<never> {
        return new Observable(() => {
          log.push('subscribed')
          return () => log.push('unsubscribed')
        })
      }
    }
    const { url } = await start(shop, Mailer, { clock, handlerTimeoutMs: 7000 })
    const answer = deliver(`${url}/webhooks/ton`, deliveries.valid)
    await clock.waitForTimer(({ delayMs }) => delayMs === 7000)
    expect(await answer).toMatchObject({ status: 200 })
    await expect.poll(() => log).toEqual(['subscribed'])
    await clock.advance(7000)
    expect(log.slice(0, 2)).toEqual(['subscribed', 'unsubscribed'])
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({ message: 'handler failed and is retried' }),
    )
  })

  it('S76 is unsubscribed when the app closes, and its task left to another server', async () => {
    const shop = createShop()
    const inbox = memoryInbox()
    const log: string[] = []
    @Injectable()
    class Mailer {
      @OnPaid()
      send(): Observable<never> {
        return new Observable(() => {
          log.push('subscribed')
          return () => log.push('unsubscribed')
        })
      }
    }
    const { app, url } = await start(shop, Mailer, { inbox, drainTimeoutMs: 50 })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await expect.poll(() => log).toEqual(['subscribed'])
    await app.close()
    expect(log).toEqual(['subscribed', 'unsubscribed'])
    expect(await inbox.stats()).toMatchObject({ open: 1 })
  })
})

describe('S61 a request-scoped factory that returns an object without the method of its token', () => {
  it('fails the attempt, which is retried', async () => {
    const shop = createShop()
    const clock = createFakeClock()
    let returned: object = { other: 1 }
    const provider = {
      provide: Handlers,
      scope: Scope.REQUEST,
      useFactory: () => returned,
    }
    @Module({
      imports: [TonplugModule.forRoot({ path: 'a', ...optionsOf(shop, { clock }) })],
      providers: [provider],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform: 'express' })
    await deliver(`${url}/a`, deliveries.valid)
    const failures = () => shop.logger.lines.filter(({ message }) => message.includes('failed'))
    await expect.poll(failures).toEqual([
      expect.objectContaining({
        message: 'handler failed and is retried',
        fields: expect.objectContaining({
          error: expect.objectContaining({
            message: expect.stringContaining('is not a function'),
          }),
        }),
      }),
    ])
    returned = new Handlers(shop)
    const handledLater = async (): Promise<unknown> => {
      await clock.advance(1000)
      return shop.handled
    }
    await expect.poll(handledLater).toEqual([{ by: 'Handlers', reference: 'order-1' }])
  })
})

describe('an invalid handler', () => {
  const start = (metadata: ModuleMetadata) =>
    startApp(createModule(createShop(), metadata), { platform: 'express' })

  it('is rejected at start in a class that two modules provide, which would run twice', async () => {
    @Module({ providers: [Handlers, { provide: SHOP, useValue: createShop() }] })
    class OtherModule {}
    await expect(start({ imports: [OtherModule], providers: [Handlers] })).rejects.toThrow(
      /onPaid\.Handlers\.paid: is registered already; give each handler of an event its own name/,
    )
  })

  it('is rejected at start when it is a static method', () => {
    const define = (): unknown => {
      class Static {
        @OnPaid()
        static paid(): void {}
      }
      return Static
    }
    expect(define).toThrow(/Static\.paid: must be an instance method/)
  })

  it.each<[string, PropertyDescriptor | undefined]>([
    ['a property', undefined],
    ['a property with the descriptor of Babel', { configurable: true, writable: true }],
    ['a getter', { get: () => () => undefined }],
  ])('is rejected at start when it is %s that holds a function', (_name, descriptor) => {
    class Arrows {
      paid = (): void => undefined
    }
    // Compilers without type checks also apply decorators to properties.
    const decorate = OnPaid() as (...call: unknown[]) => void
    expect(() => decorate(Arrows.prototype, 'paid', descriptor)).toThrow(
      /^Arrows\.paid: must be an instance method to be a handler: paid\(\) \{\}/,
    )
  })

  it.each<[string, string | (abstract new () => object)]>([
    ['a string', 'HIDDEN'],
    ['a base class without handlers', class Shipping {}],
  ])(
    'S61 causes a warning only in a request-scoped factory whose token is %s',
    async (_, token) => {
      const shop = createShop()
      class Courier {
        @OnPaid()
        ship(): void {}
      }
      const provider = { provide: token, useFactory: () => new Courier(), scope: Scope.REQUEST }
      await startApp(createModule(shop, { providers: [Handlers, provider] }), {
        platform: 'express',
      })
      const warnings = shop.logger.lines.filter(({ fields }) => fields['handlers'] === 'Courier')
      expect(warnings).toContainEqual({
        level: 'warn',
        message: 'handlers not found; provide their factory by their class',
        fields: {
          handlers: 'Courier',
          factories: [typeof token === 'string' ? token : token.name],
        },
      })
    },
  )
})
