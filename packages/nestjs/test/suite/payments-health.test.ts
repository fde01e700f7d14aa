import { Controller, Get, Module } from '@nestjs/common'
import type { Type } from '@nestjs/common'
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { memoryInbox } from '@tonplug/core'
import type { OrderRepository } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugHealthIndicator } from '../../src/health.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
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
        { path: 'webhooks/ton', ...optionsOf(createShop()) },
        {
          name: 'wholesale',
          path: 'webhooks/wholesale',
          ...optionsOf(createShop(), { inbox }),
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

  it('S70 reports a process with another policy as degraded', async () => {
    const inbox = memoryInbox()
    const instance = (wallets?: string[]): TonplugModuleOptions => ({
      path: 'webhooks/ton',
      ...optionsOf(createShop(), { inbox, wallets }),
    })
    await startApp(readyApp(instance()), { platform })
    const { url } = await startApp(readyApp(instance([])), { platform })
    const ready = async () => (await fetch(`${url}/ready`)).json()
    // Only Terminus 12 has this status.
    const isKnown = process.env['NEST_MAJOR'] === '12'
    await expect.poll(ready).toMatchObject({
      status: isKnown ? 'degraded' : 'ok',
      info: {
        payments: {
          status: isKnown ? 'degraded' : 'up',
          message: expect.stringMatching(/^the policy of this process/),
        },
      },
    })
    expect((await fetch(`${url}/ready`)).status).toBe(200)
  })

  it('S52 is down from the start of the shutdown', async () => {
    const shop = createShop()
    let isFound = (): void => undefined
    const found = new Promise<void>((resolve) => (isFound = resolve))
    let goOn = (): void => undefined
    const held = new Promise<void>((resolve) => (goOn = resolve))
    const find: OrderRepository['find'] = async (key) => {
      isFound()
      await held
      return shop.orders.find(key)
    }
    const options = optionsOf(shop, { orders: { ...shop.orders, find } })
    const module = readyApp({ path: 'webhooks/ton', ...options })
    const { app, url } = await startApp(module, { platform })
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const answer = deliver(`${url}/webhooks/ton`, deliveries.valid)
    await found
    const closed = app.close()
    const response = await fetch(`${url}/ready`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      error: { payments: { status: 'down', message: 'the app is shutting down' } },
    })
    goOn()
    expect(await answer).toMatchObject({ status: 200 })
    await closed
  })
})
