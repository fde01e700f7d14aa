import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { createShop } from '@tonplug-examples/express-shop'
import { listen } from '@tonplug-examples/express-shop/listen'
import type { ShopStores } from '@tonplug-examples/express-shop/stores'
import { createGatewayStandIn, recordingLogger } from '@tonplug/testing'
import type { DeliverOptions } from '@tonplug/testing'
import { buy } from './buy.js'
import { createTransferDesk } from './transfer-desk.js'
import { hurriedClock } from './hurried-clock.js'
import { describeOrder, type Outcome, tally } from './outcome.js'
import { untilDone, watchShop } from './watch-shop.js'

/** What is unusual about the shop or the gateway of one row. */
export interface StageOptions {
  /** How long the gateway takes to tell the shop the reference of a new transfer. @default 0 */
  transferDelayMs?: number
  /** How many webhooks are answered 500 in front of the shop before it recovers. @default 0 */
  outages?: number
  /** Runs the gateway's retries ten times faster; for rows whose every attempt is refused. @default false */
  isHurried?: boolean
}

/** A shop on a loopback port and a gateway that delivers to it, for one row. */
export interface Stage {
  /** Buys a product as the page does. Resolves with the order's reference. */
  buy(product: string): Promise<string>
  /** The reference of the first transfer, known to the gateway before the shop has it. */
  firstReference: Promise<string>
  /** Delivers a webhook until it is acknowledged or its retries are over. */
  deliver(payload: object, options?: DeliverOptions): Promise<void>
  /** Waits for the handlers and tells what became of the order. */
  observe(reference: string): Promise<Outcome>
  close(): Promise<void>
}

/** Starts a shop of its own for a row, so that rows run together in one database and count separately. */
export async function createStage(stores: ShopStores, options: StageOptions = {}): Promise<Stage> {
  const secret = `whsec_${randomBytes(24).toString('hex')}`
  const desk = createTransferDesk(options.transferDelayMs ?? 0)
  const name = randomUUID()
  const shop = createShop({ secret, name, stores, gateway: desk, logger: recordingLogger() })
  const counts = watchShop(shop)
  const app = failFirst(options.outages ?? 0, shop.app)
  const server = await listen({ app, close: () => shop.close() }, 0)
  const gateway = createGatewayStandIn({
    url: `${server.url}/webhooks/ton`,
    secret,
    clock: options.isHurried === true ? hurriedClock(10) : undefined,
  })
  const answers: (number | string)[] = []

  return {
    firstReference: desk.firstReference,
    buy: (product) => buy(server.url, product),
    async deliver(payload, deliverOptions) {
      const { attempts } = await gateway.deliver(payload, deliverOptions)
      answers.push(...attempts.map(({ status }) => status ?? 'no answer'))
    },
    async observe(reference) {
      await untilDone(stores.inbox, name)
      await shop.receiver.close()
      return {
        answers: tally(answers),
        decisions: tally(counts.decisions()),
        order: await describeOrder(stores, reference),
        handlers: tally(counts.handlers),
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
