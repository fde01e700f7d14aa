import { Inject, Injectable, Module } from '@nestjs/common'
import type { DynamicModule, ModuleMetadata, OnApplicationShutdown } from '@nestjs/common'
import type { OrderKey } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { platforms, startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'

function createGate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** A database pool that cannot be used after the shutdown. */
@Injectable()
class Pool implements OnApplicationShutdown {
  isOpen = true

  onApplicationShutdown(): void {
    this.isOpen = false
  }
}

@Module({ providers: [Pool], exports: [Pool] })
class PoolModule {}

describe.each(platforms)('S52 a pool that onApplicationShutdown closes, %s', (platform) => {
  /** Modules that provide the pool. */
  const places: Record<string, (tonplug: DynamicModule) => ModuleMetadata> = {
    'in the module of the app': (tonplug) => ({ imports: [tonplug], providers: [Pool] }),
    'in a module imported before': (tonplug) => ({ imports: [PoolModule, tonplug] }),
    'in a module imported after': (tonplug) => ({ imports: [tonplug, PoolModule] }),
  }

  it.each(Object.entries(places))('remains open until handlers end, %s', async (_name, place) => {
    const shop = createShop()
    const began = createGate()
    const handler = createGate()
    const seen: boolean[] = []
    @Injectable()
    class Handlers {
      constructor(@Inject(Pool) private readonly pool: Pool) {}

      @OnPaid()
      async ship(): Promise<void> {
        began.open()
        await handler.opened
        seen.push(this.pool.isOpen)
      }
    }
    const { providers = [], imports = [] } = place(
      TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(shop) }),
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
  it('waits for running deliveries and handlers, and responds with 503 to new deliveries', async () => {
    const shop = createShop()
    const order: string[] = []
    const lookedUp = createGate()
    const lookUp = createGate()
    const handler = createGate()
    @Injectable()
    class Handlers implements OnApplicationShutdown {
      @OnPaid()
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
      async find(key: OrderKey) {
        lookedUp.open()
        await lookUp.opened
        return shop.orders.find(key)
      },
    }
    @Module({
      imports: [TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(shop, { orders }) })],
      providers: [Handlers],
    })
    class AppModule {}
    const { app, url } = await startApp(AppModule, { platform })
    const running = deliver(`${url}/webhooks/ton`, deliveries.valid)
    await lookedUp.opened
    const closed = app.close().then(() => order.push('closed'))
    await expect
      .poll(() => deliver(`${url}/webhooks/ton`, deliveries.valid))
      .toMatchObject({ status: 503 })
    lookUp.open()
    expect(await running).toMatchObject({ status: 200 })
    await expect.poll(() => order).toEqual(['handler begins'])
    handler.open()
    await closed
    expect(order).toEqual(['handler begins', 'handler ends', 'shutdown hook', 'closed'])
    expect(await shop.orderStatus()).toBe('completed')
  })
})
