import { Injectable, Module } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
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
