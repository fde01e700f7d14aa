import { Controller, Get, Module } from '@nestjs/common'
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { createManualClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugHealthIndicator } from '../../src/health.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, webhookOf } from '../support/shop.js'

const clock = createManualClock()

@Controller('monitor')
class MonitorController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly tonplug: TonplugHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    const name = 'wholesale'
    return this.health.check([
      () => this.tonplug.isReconciling('lost webhooks'),
      () => this.tonplug.isReconciling(name, { name, maxIncompleteMs: 10_000 }),
    ])
  }

  @Get('retail')
  @HealthCheck()
  checkRetail() {
    return this.health.check([() => this.tonplug.isReconciling('retail', { name: 'retail' })])
  }
}

describe.each(platforms)('TonplugHealthIndicator.isReconciling, %s', (platform) => {
  it('S60 checks the reconciler of each instance by its name', async () => {
    const instance = (name: string | undefined, reconcile: boolean) =>
      TonplugModule.forRoot({
        name,
        path: `webhooks/${name ?? 'ton'}`,
        baseUrl: 'http://127.0.0.1:1',
        webhook: { ...webhookOf(createShop()), clock, reconcile },
      })
    @Module({
      imports: [
        TerminusModule,
        instance(undefined, true),
        instance('wholesale', true),
        instance('retail', false),
      ],
      controllers: [MonitorController],
      providers: [TonplugHealthIndicator],
    })
    class AppModule {}
    const { url } = await startApp(AppModule, { platform })
    expect(await (await fetch(`${url}/monitor`)).json()).toMatchObject({
      status: 'ok',
      info: { 'lost webhooks': { status: 'up', found: {} }, wholesale: { status: 'up' } },
    })
    await clock.advance(10_001)
    const response = await fetch(`${url}/monitor`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      info: { 'lost webhooks': { status: 'up' } },
      error: {
        wholesale: {
          status: 'down',
          message: 'the last complete run is 10001 ms old, more than 10000 ms',
        },
      },
    })
    expect((await fetch(`${url}/monitor/retail`)).status).toBe(500)
  })
})
