import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createShop } from './shop/shop.js'
import { listen } from './shop/listen.js'
import { systemClock } from '@tonplug/core'
import type { Queryable } from '@tonplug/postgres'
import { openStores } from './shop/stores.js'
import { createMockGateway, createTestLogger } from '@tonplug/testing'
import type { DeliverOptions } from '@tonplug/testing'
import { buy } from './buy.js'
import { createSlowGateway } from './slow-gateway.js'
import { fastClock } from './fast-clock.js'
import { describeOrder, type Outcome, tally } from './outcome.js'
import { waitUntilDone, recordShop } from './record-shop.js'

/** Options of the shop and the gateway of one row. */
export interface ShopWithGatewayOptions {
  /** Delay after which the gateway returns the reference of a new transfer. @default 0 */
  transferDelayMs?: number
  /** Number of webhooks that get 500 before the shop recovers. @default 0 */
  outages?: number
  /** Runs the gateway's retries ten times faster; for rows whose every attempt is rejected. @default false */
  hasFastRetries?: boolean
}

/** A shop on a loopback port and a gateway that delivers to it, for one row. */
export interface ShopWithGateway {
  /** Buys a product as the page does. Returns the order's reference. */
  buy(product: string): Promise<string>
  /** The reference of the first transfer, known to the gateway before the shop has it. */
  firstReference: Promise<string>
  /** Delivers a webhook until it is acknowledged or has no retries left. */
  deliver(payload: object, options?: DeliverOptions): Promise<void>
  /** Waits for the handlers. Returns the outcome of the order. */
  observe(reference: string): Promise<Outcome>
  close(): Promise<void>
}

/** Starts a shop for one row. Rows run concurrently in one database; each shop has its own name. */
export async function startShopWithGateway(
  db: Queryable,
  options: ShopWithGatewayOptions = {},
): Promise<ShopWithGateway> {
  const secret = `whsec_${randomBytes(24).toString('hex')}`
  const slowGateway = createSlowGateway(options.transferDelayMs ?? 0)
  const stores = await openStores(db, { clock: systemClock, name: randomUUID() })
  const shop = createShop({
    secret,
    stores,
    logger: createTestLogger(),
    createTransfer: () => slowGateway.createTransfer(),
  })
  const recorded = recordShop(shop)
  const app = failFirst(options.outages ?? 0, shop.app)
  const server = await listen({ app, close: () => shop.close() }, 0)
  const gateway = createMockGateway({
    url: `${server.url}/webhooks/ton`,
    secret,
    clock: options.hasFastRetries === true ? fastClock(10) : undefined,
  })
  const answers: (number | string)[] = []

  return {
    firstReference: slowGateway.firstReference,
    buy: (product) => buy(server.url, product),
    async deliver(payload, deliverOptions) {
      const { attempts } = await gateway.deliver(payload, deliverOptions)
      answers.push(...attempts.map(({ status }) => status ?? 'no answer'))
    },
    async observe(reference) {
      await waitUntilDone(stores.inbox, shop.payments.name)
      await shop.payments.close()
      return {
        answers: tally(answers),
        decisions: tally(recorded.decisions()),
        order: await describeOrder(stores, reference),
        handlers: tally(recorded.handlers),
      }
    },
    close: () => server.close(),
  }
}

function failFirst(outages: number, app: RequestListener): RequestListener {
  let left = outages
  return (request, response) => {
    if (request.url === '/webhooks/ton' && left > 0) {
      left -= 1
      response.writeHead(500).end()
    } else {
      app(request, response)
    }
  }
}
