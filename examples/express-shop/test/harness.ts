import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, inject, onTestFinished } from 'vitest'
import { createFakeClock, createTestLogger, signPayload } from '@tonplug/testing'
import type { FakeClock, TestLogger } from '@tonplug/testing'
import { listen } from '../src/listen.js'
import type { OrderView } from '../src/order-view.js'
import { createShop } from '../src/shop.js'
import type { Shop, ShopOptions } from '../src/shop.js'
import { openStores } from '../src/stores.js'
import type { ShopStores } from '../src/stores.js'

export const SECRET = 'whsec_shop_test'

// One database for all tests of a file, because PGlite takes a second to start. Each shop has its own name.
const empty = await readFile(inject('emptyPGlite').archive)
const db = await PGlite.create({ loadDataDir: new Blob([empty]) })
afterAll(() => db.close())

/** A listening shop, and the actions of a buyer and the gateway. */
export interface ShopHarness {
  shop: Shop
  stores: ShopStores
  url: string
  clock: FakeClock
  logger: TestLogger
  buy(product: string): Promise<OrderView>
  view(reference: string): Promise<OrderView>
  /** Sends a webhook once and returns the status. */
  deliver(payload: object, secret?: string): Promise<number>
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>
}

/** Starts a shop for one test and closes it afterwards. */
export async function startShop(
  options: Partial<ShopOptions> & { clock?: FakeClock } = {},
): Promise<ShopHarness> {
  const { clock = createFakeClock() } = options
  const logger = createTestLogger()
  const stores = await openStores(db, { clock, name: randomUUID() })
  const shop = createShop({
    secret: SECRET,
    stores,
    clock,
    logger,
    ...options,
  })
  const server = await listen(shop, 0)
  onTestFinished(() => server.close())
  const { url } = server

  async function post(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }

  return {
    shop,
    stores,
    url,
    clock,
    logger,
    post,
    async buy(product) {
      const { body } = await post('/orders', { product })
      // The response of POST /orders is an order's view.
      return body as OrderView
    },
    async view(reference) {
      const headers = { accept: 'application/json' }
      const answer = await fetch(`${url}/orders/${encodeURIComponent(reference)}`, { headers })
      // The JSON of an order's page is its view.
      return (await answer.json()) as OrderView
    },
    async deliver(payload, secret = SECRET) {
      const { body, headers } = signPayload(payload, secret)
      const answer = await fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body })
      return answer.status
    },
  }
}
