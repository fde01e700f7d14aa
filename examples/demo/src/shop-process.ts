// A shop in its own process, which is killed. It sends messages to its parent.
import { systemClock } from '@tonplug/core'
import { openDatabase } from '@tonplug/postgres'
import { createTestLogger } from '@tonplug/testing'
import { createShop } from './shop/shop.js'
import { listen } from './shop/listen.js'
import { openStores, type ShopStores } from './shop/stores.js'
import { stopStores } from './stop-stores.js'
import { describeOrder } from './outcome.js'
import type { ShopProcessOptions, ShopProcessMessage } from './shop-process-messages.js'

// Passed by startShopProcess.
const options = JSON.parse(process.argv[2] ?? '') as ShopProcessOptions

const { db, close } = await openDatabase({ folder: options.folder })
const opened = await openStores(db, { clock: systemClock })
const { stopAt } = options
const stopped =
  stopAt === undefined ? opened : stopStores(opened, stopAt, () => send({ kind: 'stopped' }))
const stores = reportParcels(stopped)
const shop = createShop({ secret: options.secret, stores, logger: createTestLogger() })
shop.payments.subscribe(({ decision }) => send({ kind: 'decision', decision: decision.kind }))
const server = await listen(shop, options.port)
send({ kind: 'open', url: server.url })

process.once('message', (reference: string) => void finish(reference))

/** Shuts the shop down, then sends the final status of the order. */
async function finish(reference: string): Promise<void> {
  await server.close()
  send({ kind: 'closed', order: await describeOrder(stores, reference) })
  await close()
  process.disconnect()
}

function reportParcels(given: ShopStores): ShopStores {
  return {
    ...given,
    shipping: {
      ...given.shipping,
      async ship(reference, idempotencyKey) {
        send({ kind: 'handler', handler: 'onPaid' })
        await given.shipping.ship(reference, idempotencyKey)
        send({ kind: 'shipped' })
      },
    },
  }
}

function send(message: ShopProcessMessage): void {
  process.send?.(message)
}
