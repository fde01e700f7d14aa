import { AsyncLocalStorage } from 'node:async_hooks'
import { Module, UseInterceptors } from '@nestjs/common'
import type { CallHandler, ExecutionContext, NestInterceptor, Type } from '@nestjs/common'
import { trace } from '@opentelemetry/api'
import type { OrderRepository, PaymentsInstrumentation } from '@tonplug/core'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugOptions } from '../../src/tonplug.options.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { WebhookController } from '../../src/webhook/webhook-controller.decorator.js'
import { createShop, deliver, deliveries, SECRET, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'
import { platforms, startApp } from '../support/start-app.js'
import { startTelemetry } from '@tonplug/test-support/telemetry'

/** The async context of an app, for example its tenant. */
const current = new AsyncLocalStorage<string>()

let seen: string[] = []
const note = (name: string): void => void seen.push(`${name} in ${current.getStore()}`)

class Parcels {
  @OnPaid()
  ship(): void {
    note('ship')
  }
}

/** Runs the route in its own async context, as transaction libraries do. */
class ScopeInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return new Observable((subscriber) =>
      current.run('the interceptor', () => next.handle().subscribe(subscriber)),
    )
  }
}

@WebhookController('webhooks/ton')
class PlainController {}

@WebhookController('webhooks/ton')
@UseInterceptors(ScopeInterceptor)
class InterceptedController {}

/** Returns the options of a shop, with functions that record the async context in which they are called. */
function observe(shop: Shop): TonplugOptions {
  const { orders } = shop
  const observed: OrderRepository = {
    ...orders,
    find: (key) => {
      note('find')
      return orders.find(key)
    },
    complete: (key, payment) => {
      note('complete')
      return orders.complete(key, payment)
    },
  }
  const amounts = (): boolean => {
    note('amounts')
    return true
  }
  const secrets = () => {
    note('secrets')
    return { merchant: '', secrets: SECRET }
  }
  return optionsOf(shop, { orders: observed, amounts }, { secrets })
}

function createModule(
  shop: Shop,
  controller: Type,
  instrumentation?: PaymentsInstrumentation,
): Type {
  @Module({
    imports: [TonplugModule.forRoot({ ...observe(shop), instrumentation })],
    controllers: [controller],
    providers: [Parcels],
  })
  class AppModule {}
  return AppModule
}

const decided = ['secrets', 'find', 'amounts', 'complete']

describe.each(platforms)('the async context of a route, %s', (platform) => {
  it.each([
    { controller: PlainController, scope: 'the middleware', names: decided },
    { controller: InterceptedController, scope: 'the interceptor', names: decided },
  ])('applies to the decision with $controller.name, and not to handlers', async (row) => {
    const { controller, scope, names } = row
    seen = []
    const shop = createShop()
    const { app, url } = await startApp(createModule(shop, controller), {
      platform,
      prepare: (created) =>
        created.use((_request: unknown, _response: unknown, next: () => void) =>
          current.run('the middleware', next),
        ),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    await app.close()
    const later = ['find in undefined', 'ship in undefined']
    expect(seen).toEqual(expect.arrayContaining(later))
    expect(seen.filter((line) => !later.includes(line))).toEqual(
      names.map((name) => `${name} in ${scope}`),
    )
  })

  it('is the parent of the span of the delivery', async () => {
    seen = []
    const telemetry = startTelemetry()
    const shop = createShop()
    const instrumentation = openTelemetryInstrumentation(telemetry.providers)
    const spans: unknown[] = []
    const { orders } = shop
    shop.orders = {
      ...orders,
      find: (key) => {
        spans.push(trace.getActiveSpan()?.spanContext())
        return orders.find(key)
      },
    }
    const tracer = telemetry.providers.tracerProvider.getTracer('an app')
    const { app, url } = await startApp(createModule(shop, PlainController, instrumentation), {
      platform,
      prepare: (created) =>
        created.use((_request: unknown, _response: unknown, next: () => void) =>
          tracer.startActiveSpan('middleware', (span) => {
            current.run('the middleware', next)
            span.end()
          }),
        ),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    const delivery = telemetry.span('tonplug.delivery')
    await app.close()
    expect(seen).toContain('find in the middleware')
    expect(spans[0]).toEqual(delivery.spanContext())
    expect(delivery.parentSpanContext).toEqual(telemetry.span('middleware').spanContext())
    expect(delivery.attributes).toMatchObject({ 'tonplug.order.reference': 'order-1' })
    const { links } = telemetry.span('tonplug.handler onPaid.Parcels.ship')
    expect(links.map(({ context }) => context)).toEqual([delivery.spanContext()])
  })

  it('has a span of a rejected delivery as well', async () => {
    const telemetry = startTelemetry()
    const instrumentation = openTelemetryInstrumentation(telemetry.providers)
    const module = createModule(createShop(), PlainController, instrumentation)
    const { url } = await startApp(module, { platform })
    const { body, headers } = deliveries.valid
    const malformed = Object.fromEntries(Object.keys(headers).map((name) => [name, 'sha256=1']))
    expect(await deliver(`${url}/webhooks/ton`, { body, headers: malformed })).toMatchObject({
      status: 401,
    })
    expect(telemetry.span('tonplug.delivery').attributes).toMatchObject({
      'tonplug.refusal.reason': 'malformed',
    })
    expect(await telemetry.attributesOf('tonplug.webhook.answer.duration')).toHaveLength(1)
  })
})
