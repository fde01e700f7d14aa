import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ConfigurationError, type OrderKey, type Payments } from '@tonplug/core'
import { createOrderStatusStreams } from '@tonplug/core/bridge'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The route that sends the payment status of an order to its buyer. */
export interface OrderStatusStreamRoute {
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

/**
 * Adds a route that sends server-sent events `data: {"status":"waiting"}`: the current status at once, then each change. See
 * `payments.watchStatus`. Streams end after `paid`, and when the app or Payments is closed.
 */
export function addOrderStatusStream(
  scope: FastifyInstance,
  payments: Pick<Payments, 'watchStatus' | 'internals'>,
  { path, key = referenceOf, maxStreams }: OrderStatusStreamRoute,
): void {
  const streams = createOrderStatusStreams(payments, { maxStreams })
  // The server waits for open responses before the hook onClose.
  scope.addHook('preClose', async () => streams.close())
  scope.route({
    method: ['GET', 'HEAD'],
    url: path,
    handler: async (request, reply) => {
      const { status, headers, body } = await streams.respond({
        method: request.method,
        lastEventId: request.headers['last-event-id'],
        key: async () => {
          // A response gets its socket after the earlier responses of the connection; never, if the connection closes.
          if (reply.raw.socket === null) await once(reply.raw, 'socket')
          return key(request)
        },
      })
      // A connection that stayed open would delay the shutdown of the server.
      const isOpen = status !== 204 && request.raw.httpVersionMajor === 1
      if (isOpen) reply.header('connection', 'close')
      reply.code(status).headers(headers)
      return reply.send(body && Readable.from(body, { highWaterMark: 1 }))
    },
  })
}

/** @throws {ConfigurationError} when the route has no parameter `reference`. */
function referenceOf({ params }: FastifyRequest): string {
  const reference: unknown =
    typeof params === 'object' && params !== null ? Reflect.get(params, 'reference') : undefined
  if (typeof reference === 'string') return reference
  const problem = 'needs a path with :reference, or the option key that returns the reference'
  throw new ConfigurationError({ option: 'orderStatusStream', problem })
}
