import { Injectable, Module } from '@nestjs/common'
import type { PaymentWatcher } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import type { TonplugModuleOptions } from '../../src/tonplug.options.js'
import { getWatcherToken, InjectWatcher } from '../../src/tonplug.tokens.js'
import { startMockNode } from '../support/mock-node.js'
import { startApp } from '../support/start-app.js'
import { createShop, optionsOf } from '../support/shop.js'

describe('the option watcher', () => {
  it.each([
    ['with a webhook', (options: TonplugModuleOptions) => ({ ...options, path: 'webhooks/ton' })],
    ['without one', ({ payments }: TonplugModuleOptions) => ({ payments })],
  ])('watches the chain while the app runs, %s', async (_name, choose) => {
    const api = await startMockNode()
    const clock = createFakeClock()
    @Injectable()
    class Health {
      constructor(@InjectWatcher() readonly watcher: PaymentWatcher) {}
    }
    const { baseUrl } = api
    const watcher = { maxIntervalMs: 30_000 }
    const options = choose(optionsOf(createShop([]), { clock }))
    @Module({
      imports: [TonplugModule.forRoot({ ...options, baseUrl, watcher })],
      providers: [Health],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform: 'express' })
    const { watcher: injected } = app.get(Health)
    const asked = api.nextRequest('/masterchainInfo')
    await clock.advance(30_000)
    await asked
    await expect.poll(() => injected.stats().lastRun).toBeDefined()
    const closed = app.close()
    await clock.advance(60_000)
    await closed
    await expect(injected.run()).rejects.toThrow(/abort/i)
  })

  it('is off by default', async () => {
    const module = TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(createShop()) })
    @Module({ imports: [module] })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform: 'express' })
    expect(app.get(getWatcherToken())).toBeUndefined()
  })
})
