import { Inject, Injectable, Module } from '@nestjs/common'
import type { DynamicModule, ModuleMetadata, OnApplicationShutdown } from '@nestjs/common'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { OnTransferPaid } from '../../src/webhook/handlers.decorators.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, webhookOf } from '../support/shop.js'

function createGate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** Stands for a database pool, which is ended once and is of no use from then on. */
@Injectable()
class Pool implements OnApplicationShutdown {
  isOpen = true

  onApplicationShutdown(): void {
    this.isOpen = false
  }
}

@Module({ providers: [Pool], exports: [Pool] })
class PoolModule {}

describe.each(platforms)('S52 a pool that is ended in onApplicationShutdown, %s', (platform) => {
  /** Where the pool's module stands. */
  const places: Record<string, (tonplug: DynamicModule) => ModuleMetadata> = {
    'in the module of the app': (tonplug) => ({ imports: [tonplug], providers: [Pool] }),
    'in a module imported before': (tonplug) => ({ imports: [PoolModule, tonplug] }),
    'in a module imported after': (tonplug) => ({ imports: [tonplug, PoolModule] }),
  }

  it.each(Object.entries(places))('%s, is open until handlers have ended', async (_name, place) => {
    const shop = createShop()
    const began = createGate()
    const handler = createGate()
    const seen: boolean[] = []
    @Injectable()
    class Handlers {
      constructor(@Inject(Pool) private readonly pool: Pool) {}

      @OnTransferPaid()
      async ship(): Promise<void> {
        began.open()
        await handler.opened
        seen.push(this.pool.isOpen)
      }
    }
    const { providers = [], imports = [] } = place(
      TonplugModule.forRoot({ path: 'webhooks/ton', webhook: webhookOf(shop) }),
    )
    @Module({ imports, providers: [...providers, Handlers] })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    const pool = app.get(Pool, { strict: false })
    await deliver(`${url}/webhooks/ton`, deliveries.valid)
    await began.opened
    const closed = app.close()
    await expect
      .poll(() => deliver(`${url}/webhooks/ton`, deliveries.valid))
      .toMatchObject({ status: 503 })
    handler.open()
    await closed
    expect(seen).toEqual([true])
    expect(pool.isOpen).toBe(false)
  })
})

describe.each(platforms)('S52 shutdown, %s', (platform) => {
  it('waits for deliveries and handlers under way, and answers 503 to new ones meanwhile', async () => {
    const shop = createShop()
    const order: string[] = []
    const lookedUp = createGate()
    const lookUp = createGate()
    const handler = createGate()
    @Injectable()
    class Handlers implements OnApplicationShutdown {
      @OnTransferPaid()
      async ship(): Promise<void> {
        order.push('handler begins')
        await handler.opened
        order.push('handler ends')
      }

      onApplicationShutdown(): void {
        order.push('shutdown hook')
      }
    }
    const orders = {
      ...shop.orders,
      async findByReference(reference: string) {
        lookedUp.open()
        await lookUp.opened
        return shop.orders.findByReference(reference)
      },
    }
    @Module({
      imports: [
        TonplugModule.forRoot({ path: 'webhooks/ton', webhook: { ...webhookOf(shop), orders } }),
      ],
      providers: [Handlers],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    const underWay = deliver(`${url}/webhooks/ton`, deliveries.valid)
    await lookedUp.opened
    const closed = app.close().then(() => order.push('closed'))
    await expect
      .poll(() => deliver(`${url}/webhooks/ton`, deliveries.valid))
      .toMatchObject({ status: 503 })
    lookUp.open()
    expect(await underWay).toMatchObject({ status: 200 })
    await expect.poll(() => order).toEqual(['handler begins'])
    handler.open()
    await closed
    expect(order).toEqual(['handler begins', 'handler ends', 'shutdown hook', 'closed'])
    expect(await shop.orderStatus()).toBe('completed')
  })
})
