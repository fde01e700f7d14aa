import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import {
  createInvoice,
  createPayments,
  createPaymentWatcher,
  memoryOrderRepository,
  type Payments,
} from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { orderStatusStream } from '@tonplug/express'
import { createTestLogger } from '@tonplug/testing'
import express from 'express'
import { onTestFinished } from 'vitest'
import type { DevProcess } from './dev-process.js'

/** A shop that reads its payments from a chain. */
export interface WatchingShop {
  /** What `--shop` takes. */
  route: string
  /** References of the orders that were shipped. */
  shipped: string[]
  /** The decisions as `kind reference`. */
  decisions: string[]
  /** Points the shop at the chain of `tonplug dev`, by what it printed. */
  pointAt(dev: DevProcess): void
  /** Creates an order, and returns its link, its TON Connect request and its reference. */
  order(price: {
    amount: string
    asset: string
    expiresAt?: Date
  }): Promise<{ link: string; request: string; reference: string }>
  /** The master of USDT on that chain. */
  readonly usdt: string
}

/** Runs a real shop on Express until the test ends. @param options.isReporting reports its decisions */
export async function openWatchingShop({ isReporting = true } = {}): Promise<WatchingShop> {
  const [decisions, shipped]: [string[], string[]] = [[], []]
  const app = express()
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server on a port has no other kind of address.
  const { port } = server.address() as AddressInfo
  let environment = new Map<string, string>()
  const orders = memoryOrderRepository()
  const shop: WatchingShop = {
    route: `http://127.0.0.1:${port}/orders/:reference/events`,
    shipped,
    decisions,
    get usdt() {
      return environment.get('USDT_MASTER') ?? ''
    },
    pointAt({ start: { chain } }) {
      environment = new Map(chain?.environment.map(({ name, value }) => [name, value]))
      const payments = createPayments({
        orders,
        wallets: [environment.get('SHOP_WALLET') ?? ''],
        onPaid: ({ order }) => void shipped.push(order.reference),
        logger: createTestLogger(),
      })
      payments.onDecision(({ decision }) => {
        const reference = 'reference' in decision ? decision.reference : ''
        decisions.push(`${decision.kind} ${reference}`)
      })
      if (isReporting) reportDecisions(payments, environment.get('TONPLUG_DECISIONS_URL') ?? '')
      const watcher = createPaymentWatcher({ payments, v3: client() })
      watcher.start()
      app.get('/orders/:reference/events', orderStatusStream(payments))
      onTestFinished(async () => {
        await watcher.close()
        await payments.close()
        server.close()
        server.closeAllConnections()
      })
    },
    async order(price) {
      const wallet = environment.get('SHOP_WALLET') ?? ''
      const invoice = await createInvoice({ ...price, wallet, v3: client() })
      const { order, link } = invoice
      orders.add(order)
      const request = JSON.stringify(await invoice.tonConnect())
      return { link, request, reference: order.reference }
    },
  }
  const client = () =>
    createV3Client({ baseUrl: environment.get('TONCENTER_URL') ?? '', rps: Infinity })
  return shop
}

/** Posts the decisions, like a server of `tonplug init`. */
function reportDecisions(payments: Pick<Payments, 'onDecision'>, url: string): void {
  const headers = { 'content-type': 'application/json' }
  payments.onDecision(({ decision }) =>
    fetch(url, { method: 'POST', headers, body: JSON.stringify(decision) }),
  )
}
