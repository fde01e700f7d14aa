import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createWebhookReceiver, readNodeBody } from '@tonplug/core'
import type { Handler, Logger, PaidTransfer, WebhookReceiver } from '@tonplug/core'
import type { PGlite } from '@electric-sql/pglite'
import type { PgliteDatabase } from 'drizzle-orm/pglite'
import { shopInbox } from './inbox.js'
import { drizzleOrderRepository, type ShopOrder } from './order-repository.js'
import { orders } from './schema.js'

const PRICES_IN_NANOTON: Partial<Record<string, bigint>> = {
  cap: 10_500_000_000n,
  sticker: 300_000_000n,
}

export interface ShopOptions {
  db: PgliteDatabase
  client: PGlite
  secret: string
  onPaid: Handler<PaidTransfer<ShopOrder>>
  logger?: Logger
}

/** A shop on node:http: `POST /orders?item=cap`, `GET /orders/<reference>` and the webhook. */
export function createShop({ db, client, secret, onPaid, logger }: ShopOptions) {
  const repository = drizzleOrderRepository(db)
  const inbox = shopInbox(client, db)
  const receiver = createWebhookReceiver({
    secrets: secret,
    orders: repository,
    inbox,
    onPaid,
    logger,
  })

  async function createOrder(url: URL, response: ServerResponse) {
    const item = url.searchParams.get('item') ?? ''
    const rawAmount = PRICES_IN_NANOTON[item]
    if (rawAmount === undefined) return writeJson(response, 404, { error: 'no such item' })
    // A real shop creates the transfer at the gateway here and stores the reference it answers.
    const reference = randomUUID()
    await db.insert(orders).values({ reference, item, rawAmount, asset: 'TON', status: 'pending' })
    // The webhook may have been faster than the row.
    await receiver.matchReference(reference)
    writeJson(response, 201, { reference, rawAmount: rawAmount.toString(), asset: 'TON' })
  }

  async function showOrder(reference: string, response: ServerResponse) {
    const order = await repository.findByReference(reference)
    if (order === null) return writeJson(response, 404, { error: 'no such order' })
    writeJson(response, 200, { reference, item: order.item, status: order.status })
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!URL.canParse(request.url ?? '/', 'http://localhost')) {
      return writeJson(response, 400, { error: 'the URL cannot be read' })
    }
    const url = new URL(request.url ?? '/', 'http://localhost')
    if (url.pathname === '/webhooks/ton') return receiveWebhook(receiver, request, response)
    if (request.method === 'POST' && url.pathname === '/orders') return createOrder(url, response)
    return showOrder(url.pathname.replace('/orders/', ''), response)
  }

  const server = createServer((request, response) => {
    route(request, response).catch((error: unknown) => {
      console.error(error)
      response.writeHead(500).end()
    })
  })
  return { server, receiver, repository }
}

/** All that a framework adapter does. */
async function receiveWebhook(
  receiver: WebhookReceiver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await receiver.receive({
    method: request.method,
    url: request.url,
    headers: request.headers,
    rawBody: readNodeBody(request),
  })
  response.writeHead(status, headers).end(body)
}

function writeJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
