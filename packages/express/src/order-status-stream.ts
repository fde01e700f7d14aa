import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ConfigurationError, type OrderKey, type Payments } from '@tonplug/core'
import { checkOrderStatusStream, createOrderStatusStreams } from '@tonplug/core/bridge'
import { checkCall } from './check.js'

/** Options of {@link orderStatusStream}. */
export interface OrderStatusStreamOptions<Request extends IncomingMessage> {
  /** Returns the key of the order that a request is about. @default the route's parameter `reference` */
  key?: ((request: Request) => string | OrderKey | Promise<string | OrderKey>) | undefined
  /** Largest number of open streams; the response to others is 503. @default 10_000 */
  maxStreams?: number | undefined
}

/**
 * Returns an Express handler that sends the payment status of an order to its buyer, as server-sent events
 * `data: {"status":"waiting"}`: the current status at once, then each change. See `payments.watchStatus`. It sends nothing else
 * about the order, but does not check who asks: use references that cannot be guessed, or check the visitor in a handler
 * before it. After `paid` the stream ends, and responds with 204 to the reconnection of an EventSource, which ends it.
 * Streams end when Payments is closed. A request that waits behind another one of its connection (pipelining) begins no stream
 * before its turn.
 * @throws {ConfigurationError} when an argument is invalid. A route without `:reference` passes one to the app's error
 * handler.
 * @example
 * ```ts
 * import express from 'express'
 * import { createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { orderStatusStream } from '@tonplug/express'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const app = express()
 * app.get('/orders/:reference/events', orderStatusStream(payments))
 * ```
 */
export function orderStatusStream<Request extends IncomingMessage = IncomingMessage>(
  payments: Pick<Payments, 'watchStatus' | 'internals'>,
  options: OrderStatusStreamOptions<Request> = {},
): (request: Request, response: ServerResponse, next: Next) => void {
  checkCall('orderStatusStream', payments, 'app.get(path, orderStatusStream(payments))')
  checkOrderStatusStream(payments, options, ['key', 'maxStreams'])
  const { key = referenceOf, maxStreams } = options
  const streams = createOrderStatusStreams(payments, { maxStreams })
  const open = async (request: Request, response: ServerResponse): Promise<void> => {
    if (response.headersSent || response.destroyed) return
    const { method, headers: given } = request
    const { status, headers, body } = await streams.respond({
      method,
      lastEventId: given['last-event-id'],
      key: () => key(request),
    })
    if (response.headersSent || response.destroyed) {
      void body?.return?.()
      return
    }
    // A connection that stayed open would delay the shutdown of the server.
    response.writeHead(status, status === 200 ? { ...headers, connection: 'close' } : headers)
    if (body === undefined) response.end()
    else void send(body, response)
  }
  return (request, response, next) => {
    const start = (): void => void open(request, response).then(undefined, next)
    // The response gets its socket after the earlier responses of the connection; never, if the connection closes.
    if (response.socket === null) response.once('socket', start)
    else start()
  }
}

export type Next = (error?: unknown) => void

/**
 * Sends the events when the client has received the ones before. Never rejects: a stream that fails is cut off. Ends the
 * response at once after the last event, since servers close their connections after Payments.
 */
async function send(
  events: AsyncIterableIterator<string>,
  response: ServerResponse,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => {
    left.abort()
    void events.return?.()
  })
  try {
    for await (const event of events) {
      if (!response.write(event)) await once(response, 'drain', { signal: left.signal })
    }
    response.end()
  } catch {
    response.destroy()
  }
}

/** @throws {ConfigurationError} when the route has no parameter `reference`. */
function referenceOf(request: IncomingMessage & { params?: unknown }): string {
  const { params } = request
  const reference: unknown =
    typeof params === 'object' && params !== null ? Reflect.get(params, 'reference') : undefined
  if (typeof reference === 'string') return reference
  const problem = 'needs a route with :reference, or the option key that returns the reference'
  throw new ConfigurationError({ option: 'orderStatusStream', problem })
}
