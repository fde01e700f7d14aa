// A shop in a process of its own, to be killed. It tells its parent what it does.
import { systemClock, type Clock } from '@tonplug/core'
import { openDatabase } from '@tonplug/postgres'
import { recordingLogger } from '@tonplug/testing'
import { createShop } from '@tonplug-examples/express-shop'
import { listen } from '@tonplug-examples/express-shop/listen'
import { openStores, type ShopStores } from '@tonplug-examples/express-shop/stores'
import { holdStores } from './hold-stores.js'
import { describeOrder } from './outcome.js'
import type { ShopProcessOptions, ShopProcessMessage } from './shop-process-messages.js'

// Given by startShopProcess.
const options = JSON.parse(process.argv[2] ?? '') as ShopProcessOptions
const clock: Clock = { ...systemClock, nowMs: () => Date.now() + options.aheadMs }

const { db, close } = await openDatabase({ folder: options.folder })
const opened = await openStores(db, { clock })
const { holdAt } = options
const held =
  holdAt === undefined ? opened : holdStores(opened, holdAt, () => tell({ kind: 'held' }))
const stores = tellParcels(held)
const shop = createShop({ secret: options.secret, stores, clock, logger: recordingLogger() })
shop.receiver.subscribe(({ decision }) => tell({ kind: 'decision', decision: decision.kind }))
const server = await listen(shop, options.port)
tell({ kind: 'open', url: server.url })

process.once('message', (reference: string) => void finish(reference))

/** Closes the shop as at any shutdown, then tells what became of the order. */
async function finish(reference: string): Promise<void> {
  await server.close()
  tell({ kind: 'closed', order: await describeOrder(stores, reference) })
  await close()
  process.disconnect()
}

function tellParcels(given: ShopStores): ShopStores {
  return {
    ...given,
    shipping: {
      ...given.shipping,
      async ship(order, idempotencyKey) {
        tell({ kind: 'handler', handler: 'onPaid' })
        const shipment = await given.shipping.ship(order, idempotencyKey)
        tell({ kind: 'shipped' })
        return shipment
      },
    },
  }
}

function tell(message: ShopProcessMessage): void {
  process.send?.(message)
}
