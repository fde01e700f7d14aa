import { Controller, Get, Module } from '@nestjs/common'
import type { Type } from '@nestjs/common'
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { memoryInbox } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugHealthIndicator } from '../../src/health.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { createShop, webhookOf } from '../support/shop.js'
import { platforms, startApp } from '../support/start-app.js'

function readyApp(...instances: readonly TonplugModuleOptions[]): Type {
  @Controller('ready')
  class ReadyController {
    constructor(
      private readonly health: HealthCheckService,
      private readonly tonplug: TonplugHealthIndicator,
    ) {}

    @Get()
    @HealthCheck()
    check() {
      return this.health.check(
        instances.map(
          ({ name }) =>
            () =>
              this.tonplug.isReceiving(name ?? 'payments', { name }),
        ),
      )
    }
  }
  @Module({
    imports: [TerminusModule],
    controllers: [ReadyController],
    providers: [TonplugHealthIndicator],
  })
  class ReadyModule {}
  @Module({
    imports: [ReadyModule, ...instances.map((options) => TonplugModule.forRoot(options))],
  })
  class AppModule {}
  return AppModule
}

describe.each(platforms)('TonplugHealthIndicator.isReceiving, %s', (platform) => {
  it('S60 checks each instance by its name', async () => {
    const stats = () => Promise.reject(new Error('ECONNREFUSED'))
    const inbox = { ...memoryInbox(), stats }
    const { url } = await startApp(
      readyApp(
        { path: 'webhooks/ton', webhook: webhookOf(createShop()) },
        {
          name: 'wholesale',
          path: 'webhooks/wholesale',
          webhook: { ...webhookOf(createShop()), inbox },
        },
      ),
      { platform },
    )
    const response = await fetch(`${url}/ready`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      status: 'error',
      info: { payments: { status: 'up', inbox: 'memory', undecided: 0 } },
      error: { wholesale: { status: 'down', message: 'the inbox cannot be read' } },
    })
  })
})
