import { Controller, Get, Module } from '@nestjs/common'
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugHealthIndicator } from '../../src/health.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, optionsOf } from '../support/shop.js'

const clock = createFakeClock()

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
      () => this.tonplug.isWatching('chain'),
      () => this.tonplug.isWatching(name, { name, maxIncompleteMs: 10_000 }),
    ])
  }

  @Get('retail')
  @HealthCheck()
  checkRetail() {
    return this.health.check([() => this.tonplug.isWatching('retail', { name: 'retail' })])
  }
}

describe.each(platforms)('TonplugHealthIndicator.isWatching, %s', (platform) => {
  it('S60 checks the watcher of each instance by its name', async () => {
    const instance = (name: string | undefined, watcher: boolean) =>
      TonplugModule.forRoot({
        name,
        path: `webhooks/${name ?? 'ton'}`,
        baseUrl: 'http://127.0.0.1:1',
        ...optionsOf(createShop(), { clock }),
        watcher,
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
      info: { chain: { status: 'up', decisions: {} }, wholesale: { status: 'up' } },
    })
    await clock.advance(10_001)
    const response = await fetch(`${url}/monitor`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      info: { chain: { status: 'up' } },
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
