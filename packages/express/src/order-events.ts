import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ConfigurationError } from '@tonplug/core'
import type { OrderKey, Payments } from '@tonplug/core'
import { checkCall, checkMethod, checkOptions } from './check.js'
import { createHeartbeat } from './heartbeat.js'

/** Options of {@link tonplugOrderEvents}. */
export interface OrderEventsOptions<Request extends IncomingMessage> {
  /** Returns the key of the order that a request is about. @default the route's parameter `reference` */
  key?: ((request: Request) => string | OrderKey) | undefined
  /** Largest number of open streams; the response to others is 503. @default 10_000 */
  maxStreams?: number | undefined
}

const HEADERS = {
  'content-type': 'text/event-stream',
  // Without `no-transform` the middleware `compression` would hold events back.
  'cache-control': 'no-store, no-transform',
  // Disables buffering in nginx.
  'x-accel-buffering': 'no',
  // A connection that stayed open would delay the shutdown of the server.
  connection: 'close',
}
const RECONNECT_MS = 3000
const MAX_STREAMS = 10_000
const RETRY_AFTER_S = '30'
/** The id of the last event. An EventSource sends it when it reconnects. */
const PAID_ID = 'paid'

/**
 * Returns an Express handler that sends the payment status of an order to its buyer, as server-sent events
 * `data: {"status":"waiting"}`: the current status at once, then each change. See `payments.events`. It sends nothing else
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
 * import { tonplugOrderEvents } from '@tonplug/express'
 *
 * const payments = createPayments({ orders: memoryOrderRepository() })
 * const app = express()
 * app.get('/orders/:reference/events', tonplugOrderEvents(payments))
 * ```
 */
export function tonplugOrderEvents<Request extends IncomingMessage = IncomingMessage>(
  payments: Pick<Payments, 'events' | 'clock'>,
  options: OrderEventsOptions<Request> = {},
): (request: Request, response: ServerResponse, next: Next) => void {
  checkCall('tonplugOrderEvents', payments, 'app.get(path, tonplugOrderEvents(payments))')
  const expected = 'the result of createPayments()'
  checkMethod('tonplugOrderEvents', payments, { method: 'events', expected })
  const hint = 'it takes key and maxStreams'
  checkOptions('tonplugOrderEvents', options, { names: ['key', 'maxStreams'], hint })
  const key = readKey(options)
  const maxStreams = readMaxStreams(options)
  const heartbeat = createHeartbeat(payments.clock)
  const open = (request: Request, response: ServerResponse, next: Next): void => {
    if (response.headersSent || response.destroyed) return
    if (request.headers['last-event-id'] === PAID_ID) {
      response.writeHead(204, { 'cache-control': 'no-store' }).end()
      return
    }
    if (heartbeat.size() >= maxStreams) {
      response.writeHead(503, { 'cache-control': 'no-store', 'retry-after': RETRY_AFTER_S }).end()
      return
    }
    const left = new AbortController()
    let events: ReturnType<Payments['events']>
    try {
      events = payments.events(key(request), { signal: left.signal })
    } catch (error) {
      next(error)
      return
    }
    response.writeHead(200, HEADERS)
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    response.once('close', () => {
      left.abort()
      heartbeat.delete(response)
    })
    heartbeat.add(response)
    response.write(`retry: ${RECONNECT_MS}\n\n`)
    send(events, response, left.signal)
      .catch(() => response.destroy())
      .finally(() => heartbeat.delete(response))
  }
  return (request, response, next) => {
    // The response gets its socket after those of the earlier requests of the connection; never, if the connection closes.
    if (response.socket === null) response.once('socket', () => open(request, response, next))
    else open(request, response, next)
  }
}

type Next = (error?: unknown) => void

/** @throws {ConfigurationError} when the option is not a function. */
function readKey<Request extends IncomingMessage>({
  key = referenceOf,
}: OrderEventsOptions<Request>): (request: Request) => string | OrderKey {
  if (typeof key === 'function') return key
  const problem = 'must be a function that returns a reference or { reference, merchant }'
  throw new ConfigurationError({ option: 'key', problem })
}

/** @throws {ConfigurationError} when the option is not a number of streams. */
function readMaxStreams({ maxStreams = MAX_STREAMS }: { maxStreams?: number | undefined }): number {
  if (maxStreams === Infinity || (Number.isInteger(maxStreams) && maxStreams > 0)) return maxStreams
  const problem = 'must be a whole number above zero, or Infinity'
  throw new ConfigurationError({ option: 'maxStreams', problem })
}

/** Sends a status when the client has received the ones before. */
async function send(
  events: ReturnType<Payments['events']>,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  for await (const { status } of events) {
    const id = status === 'paid' ? `id: ${PAID_ID}\n` : ''
    if (response.write(`${id}data: ${JSON.stringify({ status })}\n\n`)) continue
    await once(response, 'drain', { signal })
  }
  response.end()
}

/** @throws {ConfigurationError} when the route has no parameter `reference`. */
function referenceOf(request: IncomingMessage & { params?: unknown }): string {
  const { params } = request
  const reference: unknown =
    typeof params === 'object' && params !== null ? Reflect.get(params, 'reference') : undefined
  if (typeof reference === 'string') return reference
  const problem = 'needs a route with :reference, or the option key that returns the reference'
  throw new ConfigurationError({ option: 'tonplugOrderEvents', problem })
}
