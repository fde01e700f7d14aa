import { Injectable, Module } from '@nestjs/common'
import { comment, internal, toNano } from '@ton/core'
import { memoryInbox, memoryOrderRepository, type PaidTransfer } from '@tonplug/core'
import { createStream } from '@tonplug/core/toncenter'
import { createChainSimulator } from '@tonplug/simulator'
import { createTestLogger } from '@tonplug/testing'
import { expect, it, onTestFinished } from 'vitest'
import { TonplugModule } from '../../src/tonplug.module.js'
import { OnPaid } from '../../src/payments/handlers.decorators.js'
import { platforms, startApp } from '../support/start-app.js'

const DAY_MS = 86_400_000

it.each(platforms)(
  'watcher.stream runs @OnPaid on %s when the block is final, while it polls once a day',
  async (platform) => {
    const chain = await createChainSimulator({ now: () => Math.floor(Date.now() / 1000) })
    onTestFinished(() => chain.close())
    const [shop, buyer] = [await chain.createWallet(), await chain.createWallet()]
    const logger = createTestLogger()
    const stream = createStream({ baseUrl: chain.url, logger })
    onTestFinished(() => stream.close())
    const paid: { reference: string; source: string }[] = []
    @Injectable()
    class Shipping {
      @OnPaid()
      ship({ order: { reference }, source }: PaidTransfer): void {
        paid.push({ reference, source })
      }
    }
    const references = ['order-1', 'order-2']
    const rawAmount = toNano('0.5')
    const orders = memoryOrderRepository(
      references.map((reference) => ({ reference, rawAmount, asset: 'TON', status: 'pending' })),
    )
    const wallets = [shop.address.toRawString()]
    @Module({
      imports: [
        TonplugModule.forRoot({
          baseUrl: chain.url,
          rps: Infinity,
          payments: { orders, inbox: memoryInbox(), wallets, logger },
          watcher: { stream, minIntervalMs: DAY_MS, maxIntervalMs: DAY_MS },
        }),
      ],
      providers: [Shipping],
    })
    class AppModule {}
    const { app } = await startApp(AppModule, { platform })
    await expect.poll(() => stream.health().state).toBe('connected')

    for (const [index, reference] of references.entries()) {
      const body = comment(reference)
      await buyer.send([internal({ to: shop.address, value: rawAmount, bounce: false, body })])
      await expect.poll(() => paid.length, { interval: 1 }).toBe(index + 1)
      expect(paid[index]).toMatchObject({ reference, source: 'chain' })
    }

    await app.close()
    await expect.poll(() => chain.streamServer.connections).toBe(0)
  },
)
