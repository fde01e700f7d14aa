import { setTimeout as sleep } from 'node:timers/promises'
import type { OrderRepository } from '@tonplug/core'
import { expect, it } from 'vitest'
import { memoryCursor } from '../../../src/payments/watcher/cursor.js'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

it('finds an old payment when a run begins while the first one reads its cursor', async () => {
  const cursor = memoryCursor()
  const lists: (() => void)[] = []
  let other: Promise<unknown> | undefined
  const shop = await openPaidChain([orderOf('order-1', gatewayBody(1))], {
    watcher: {
      cursor: {
        ...cursor,
        async load() {
          if (other === undefined) {
            const isListing = new Promise<void>((resolve) => lists.push(resolve))
            other = shop.watcher.run({ lookups: 0 })
            await isListing
          }
          return cursor.load()
        },
      },
    },
    wrapOrders: (orders): OrderRepository => ({
      ...orders,
      async *listOpen(query) {
        for (const begin of lists.splice(0)) {
          begin()
          await sleep(50)
        }
        yield* orders.listOpen(query)
      },
    }),
  })
  await shop.wait(10)
  await shop.pay(1, { body: gatewayBody(1) })
  await shop.wait(7200)
  // A newer block.
  await shop.pay(9, { body: gatewayBody(9) })
  await shop.wait(120)
  await shop.watcher.run({ lookups: 0 })
  await other
  expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
})
