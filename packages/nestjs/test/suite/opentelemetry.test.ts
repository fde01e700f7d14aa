import type { Server } from 'node:http'
import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common'
import { openTelemetryInstrumentation, type Instrumentation } from '@tonplug/core/opentelemetry'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { V2Service } from '../../src/services.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { address, startMockNode } from '../support/mock-node.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'
import { startTelemetry } from '@tonplug/test-support/telemetry'

const SHOP = 'shop'

@Injectable()
class Parcels {
  constructor(@Inject(SHOP) private readonly shop: Shop) {}

  @OnPaid()
  ship(): void {
    this.shop.handled.push({ by: 'ship', reference: 'order-1' })
  }
}

@Controller()
class Balances {
  constructor(@Inject(V2Service) private readonly v2: V2Service) {}

  @Get('balance')
  async balance(): Promise<string> {
    return String(await this.v2.getAddressBalance({ address }))
  }
}

function moduleOf(shop: Shop, baseUrl: string, instrumentation: Instrumentation) {
  @Module({
    imports: [
      TonplugModule.forRoot({
        path: 'webhooks/ton',
        baseUrl,
        instrumentation,
        ...optionsOf(shop),
      }),
    ],
    controllers: [Balances],
    providers: [{ provide: SHOP, useValue: shop }, Parcels],
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('OpenTelemetry on %s', (platform) => {
  it('instruments the webhook, the handlers and the clients with one option of the module', async () => {
    const telemetry = startTelemetry()
    const shop = createShop()
    const { baseUrl } = await startMockNode({ balance: '7' })
    const module = moduleOf(shop, baseUrl, openTelemetryInstrumentation(telemetry.providers))
    const { app, url } = await startApp(module, {
      platform,
      // HTTP platforms use Node's server.
      prepare: (created) => telemetry.traceRequests(created.getHttpServer() as Server),
    })
    expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
    const delivery = telemetry.span('tonplug.delivery')
    expect(delivery.parentSpanContext).toEqual(telemetry.span('request').spanContext())
    expect(delivery.attributes).toMatchObject({ 'tonplug.decision.kind': 'paid' })

    expect((await request(url).get('/balance')).text).toBe('7')
    const call = telemetry.span('tonplug.call getAddressBalance')
    expect(telemetry.span('GET getAddressBalance').parentSpanContext).toEqual(call.spanContext())

    expect(await telemetry.attributesOf('tonplug.inbox.dead')).toEqual([
      { 'tonplug.payments.name': 'default' },
    ])
    await app.close()
    expect(shop.handled).toHaveLength(1)
    const handler = telemetry.span('tonplug.handler onPaid.Parcels.ship')
    expect(handler.links.map(({ context }) => context)).toEqual([delivery.spanContext()])
    expect(await telemetry.attributesOf('tonplug.handler.duration')).toEqual([
      {
        'tonplug.payments.name': 'default',
        'tonplug.handler.name': 'onPaid.Parcels.ship',
        'tonplug.handler.outcome': 'done',
      },
    ])
  })
})
