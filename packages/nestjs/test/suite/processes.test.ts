import { Injectable, Module } from '@nestjs/common'
import type { Type } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { memoryInbox } from '@tonplug/core'
import type { PaidTransfer } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import { expect, it, onTestFinished } from 'vitest'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { TonplugModule } from '../../src/tonplug.module.js'
import { startApp } from '../support/start-app.js'
import { createShop, deliver, deliveries, optionsOf } from '../support/shop.js'
import type { Shop } from '../support/shop.js'

function moduleOf(shop: Shop, options: Parameters<typeof optionsOf>[1], providers: Type[]): Type {
  @Module({
    imports: [TonplugModule.forRoot({ path: 'webhooks/ton', ...optionsOf(shop, options) })],
    providers,
  })
  class AppModule {}
  return AppModule
}

it('S68 handlers of a worker run for a payment that a process without handlers decided', async () => {
  const clock = createFakeClock()
  // Both processes share the inbox, as they would share a database.
  const inbox = { ...memoryInbox({ clock }), isDurable: true }
  const web = createShop()
  const worker = { ...createShop(), orders: web.orders }
  @Injectable()
  class Shipping {
    @OnPaid()
    ship({ order }: PaidTransfer): void {
      worker.handled.push({ by: 'worker', reference: order.reference })
    }
  }
  const context = await NestFactory.createApplicationContext(
    moduleOf(worker, { inbox, clock }, [Shipping]),
    { logger: false, abortOnError: false },
  )
  onTestFinished(() => context.close())
  // The worker subscribes its handlers.
  await clock.advance(1)
  const { url } = await startApp(moduleOf(web, { inbox, clock }, []), { platform: 'express' })
  expect(await deliver(`${url}/webhooks/ton`, deliveries.valid)).toMatchObject({ status: 200 })
  const handledLater = async () => {
    await clock.advance(1000)
    return worker.handled
  }
  await expect.poll(handledLater).toEqual([{ by: 'worker', reference: 'order-1' }])
  const lines = web.logger.lines.filter(({ level }) => level === 'warn' || level === 'error')
  expect(lines).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^no handler for paid orders/),
    }),
  ])
})
