import { onTestFinished } from 'vitest'
import { signPayload } from '@tonplug/testing'
import type { INestApplication } from '@nestjs/common'
import type { OrderView } from '../src/orders/order-views.js'
import type { Settings } from '../src/settings.js'
import { createShop } from '../src/shop.js'

export const SECRET = 'whsec_nest_shop_test'

/** A listening shop, and what a buyer and the gateway do with it. */
export interface ShopHarness {
  app: INestApplication
  url: string
  buy(product: string): Promise<OrderView>
  view(reference: string): Promise<OrderView>
  /** Sends a webhook once and resolves with the status of its answer. */
  deliver(payload: object, secret?: string): Promise<number>
  post(path: string, body: object): Promise<{ status: number; body: unknown }>
  close(): Promise<void>
}

/** Starts a shop for one test and closes it afterwards. */
export async function startShop(given: Partial<Settings> = {}): Promise<ShopHarness> {
  const settings = { port: 0, webhookSecret: SECRET, isDevelopment: false, ...given }
  const app = await createShop(settings, { logger: false })
  await app.listen(settings.port, '127.0.0.1')
  const url = await app.getUrl()
  let closed: Promise<void> | undefined
  const close = () => (closed ??= app.close())
  onTestFinished(close)

  async function post(path: string, body: object): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: await answer.json() }
  }

  return {
    app,
    url,
    post,
    close,
    async buy(product) {
      const { body } = await post('/orders', { product })
      // The answer of POST /orders is an order's view.
      return body as OrderView
    },
    async view(reference) {
      const answer = await fetch(`${url}/orders/${reference}`)
      // As is that of GET.
      return (await answer.json()) as OrderView
    },
    async deliver(payload, secret = SECRET) {
      const { body, headers } = signPayload(payload, secret)
      const answer = await fetch(`${url}/webhooks/ton`, { method: 'POST', headers, body })
      return answer.status
    },
  }
}
