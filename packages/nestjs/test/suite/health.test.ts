import { Controller, Get, Module, ServiceUnavailableException } from '@nestjs/common'
import type { Payments, PaymentWatcher } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import {
  getPaymentsToken,
  getWatcherToken,
  InjectPayments,
  InjectWatcher,
} from '../../src/tonplug.tokens.js'
import { startMockNode } from '../support/mock-node.js'
import { createShop, optionsOf } from '../support/shop.js'
import { platforms, startApp } from '../support/start-app.js'

// As in the guide of Nest.
@Controller('health')
class HealthController {
  constructor(@InjectPayments() private readonly payments: Payments) {}

  @Get()
  async check() {
    const health = await this.payments.health()
    if (health.status === 'down') throw new ServiceUnavailableException(health)
    return health
  }
}

@Controller('health/watcher')
class WatcherHealthController {
  constructor(@InjectWatcher() private readonly watcher: PaymentWatcher) {}

  @Get()
  async check() {
    const health = await this.watcher.health()
    if (health.status === 'down') throw new ServiceUnavailableException(health)
    return health
  }
}

describe.each(platforms)('a health controller on %s', (platform) => {
  it('responds with 200 while Payments and the watcher run, and with 503 afterwards', async () => {
    const { baseUrl } = await startMockNode()
    const { payments, webhook } = optionsOf(createShop([]), { clock: createFakeClock() })
    const options = { path: 'webhooks/ton', payments, webhook, baseUrl, watcher: {} }
    @Module({
      imports: [TonplugModule.forRoot(options)],
      controllers: [HealthController, WatcherHealthController],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    const read = async (path: string) => {
      const { status, body } = await request(url).get(path)
      return { status, body: body as unknown }
    }
    expect(await read('/health')).toMatchObject({ status: 200, body: { status: 'up' } })
    expect(await read('/health/watcher')).toMatchObject({ status: 200, body: { status: 'up' } })
    await app.get<PaymentWatcher>(getWatcherToken()).close()
    await app.get<Payments>(getPaymentsToken()).close()
    const down = { status: 503, body: { status: 'down' } }
    expect(await read('/health')).toMatchObject(down)
    expect(await read('/health/watcher')).toMatchObject(down)
  })
})
