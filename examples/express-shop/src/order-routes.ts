import { fileURLToPath } from 'node:url'
import { Router } from 'express'
import { catalog, findProduct } from './catalog.js'
import type { Product } from './catalog.js'
import { formatAmount } from './money.js'
import type { OrderFeed } from './order-feed.js'
import type { OrderView, ViewOrder } from './order-view.js'
import type { PlaceOrder } from './place-order.js'
import { RequestError } from './request-error.js'

/** Dependencies of the order routes. */
export interface OrderRoutesDependencies {
  placeOrder: PlaceOrder
  viewOrder: ViewOrder
  feed: OrderFeed
}

const publicFolder = fileURLToPath(new URL('../public', import.meta.url))

/** Creates the routes of the catalog, of buying, and of an order's page, data and live events. */
export function createOrderRoutes({
  placeOrder,
  viewOrder,
  feed,
}: OrderRoutesDependencies): Router {
  const routes = Router()

  routes.get('/products', (_request, response) => {
    response.json(catalog.map(describeProduct))
  })

  routes.post('/orders', async (request, response) => {
    const reference = await placeOrder(readProduct(request.body))
    const url = `/orders/${encodeURIComponent(reference)}`
    response
      .status(201)
      .location(url)
      .json({ url, ...(await findView(viewOrder, reference)) })
  })

  routes.get('/orders/:reference', async (request, response) => {
    response.set({ 'cache-control': 'no-store', vary: 'accept' })
    if (request.accepts('html', 'json') !== 'html') {
      response.json(await findView(viewOrder, request.params.reference))
      return
    }
    const isKnown = (await viewOrder(request.params.reference)) !== null
    const page = isKnown ? 'order.html' : 'unknown-order.html'
    response.status(isKnown ? 200 : 404).sendFile(page, { root: publicFolder })
  })

  routes.get('/orders/:reference/events', async (request, response) => {
    await findView(viewOrder, request.params.reference)
    feed.open(request.params.reference, response)
  })

  return routes
}

/**
 * Returns the view of an order.
 * @throws {RequestError} 404 when there is no such order.
 */
async function findView(viewOrder: ViewOrder, reference: string): Promise<OrderView> {
  const view = await viewOrder(reference)
  if (view !== null) return view
  throw new RequestError({
    status: 404,
    code: 'unknown_order',
    message: `Unknown order ${JSON.stringify(reference)}`,
  })
}

function describeProduct({ id, name, description, rawAmount, currency }: Product): object {
  return { id, name, description, price: formatAmount(rawAmount, currency) }
}

function readProduct(body: unknown): Product {
  const id =
    typeof body === 'object' && body !== null && 'product' in body ? body.product : undefined
  const product = typeof id === 'string' ? findProduct(id) : undefined
  if (product !== undefined) return product
  const choices = catalog.map((known) => known.id).join(', ')
  throw new RequestError({
    status: 400,
    code: 'unknown_product',
    message: `Send JSON with "product" set to one of: ${choices}`,
  })
}
