import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { ConfigurationError, type OrderKey, type Payments } from '@tonplug/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createOpenStreams } from './open-streams.js'

/** The route that sends the payment status of an order to its buyer. */
export interface OrderEventsRoute {
  /** For example `/orders/:reference/events`. */
  path: string
  /**
   * Returns the order's key; throw to reject the request. It may check the visitor.
   * @default the route's parameter `reference`
   */
  key?: ((request: FastifyRequest) => string | OrderKey | Promise<string | OrderKey>) | undefined
  /** Largest number of open streams; the response to others is 503. @default 10_000 */
  maxStreams?: number | undefined
}

const HEADERS = {
  'content-type': 'text/event-stream',
  // Without `no-transform` compression would hold events back.
  'cache-control': 'no-store, no-transform',
  // Disables buffering in nginx.
  'x-accel-buffering': 'no',
}
const RECONNECT_MS = 3000
const MAX_STREAMS = 10_000
const UNAVAILABLE = { 'cache-control': 'no-store', 'retry-after': '30' }
/** The id of the last event. An EventSource sends it when it reconnects. */
const PAID_ID = 'paid'

/**
 * Adds a route that sends server-sent events `data: {"status":"waiting"}`: the current status at once, then each change. See
 * `payments.events`. Streams end after `paid`, and when the app or Payments is closed.
 */
export function addOrderEvents(
  scope: FastifyInstance,
  payments: Pick<Payments, 'events' | 'clock'>,
  { path, key = referenceOf, maxStreams = MAX_STREAMS }: OrderEventsRoute,
): void {
  const streams = createOpenStreams(payments.clock)
  // The server waits for open responses before the hook onClose.
  scope.addHook('preClose', async () => streams.close())
  scope.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      if (request.headers['last-event-id'] === PAID_ID) {
        return reply.code(204).header('cache-control', 'no-store').send()
      }
      // A response gets its socket after those of the earlier requests of the connection; never, if the connection closes.
      if (reply.raw.socket === null) await once(reply.raw, 'socket')
      const order = await key(request)
      // A connection that stayed open would delay the shutdown of the server.
      if (request.raw.httpVersionMajor === 1) reply.header('connection', 'close')
      if (!streams.hasRoom(maxStreams)) return reply.code(503).headers(UNAVAILABLE).send()
      const left = new AbortController()
      const { signal } = left
      const events = payments.events(order, { signal })
      reply.headers(HEADERS)
      if (request.method === 'HEAD') return reply.send()

      // Buffers one event for a client that does not read.
      const stream = new PassThrough({ highWaterMark: 1 })
      stream.once('close', () => streams.delete(stream))
      streams.add(stream, left)
      stream.write(`retry: ${RECONNECT_MS}\n\n`)
      void send(events, stream, signal)
      return reply.send(stream)
    },
  })
}

/** Sends a status when the client has received the ones before. Never rejects. */
async function send(
  events: ReturnType<Payments['events']>,
  stream: PassThrough,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const { status } of events) {
      const id = status === 'paid' ? `id: ${PAID_ID}\n` : ''
      if (stream.write(`${id}data: ${JSON.stringify({ status })}\n\n`)) continue
      await once(stream, 'drain', { signal })
    }
    stream.end()
  } catch {
    stream.destroy()
  }
}

/** @throws {ConfigurationError} when the route has no parameter `reference`. */
function referenceOf({ params }: FastifyRequest): string {
  const reference: unknown =
    typeof params === 'object' && params !== null ? Reflect.get(params, 'reference') : undefined
  if (typeof reference === 'string') return reference
  const problem = 'needs a path with :reference, or the option key that returns the reference'
  throw new ConfigurationError({ option: 'events', problem })
}
