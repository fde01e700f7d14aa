import type { OrderKey } from '../payments/orders/order.js'
import type { Payments } from '../payments/engine/payments.js'
import { createStatusStreams, type StatusMessages } from './status-streams.js'

const MAX_STREAMS = 10_000
/** The id of the last event. An EventSource sends it when it reconnects. */
const PAID_ID = 'paid'
const NO_STORE = { 'cache-control': 'no-store' }
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  // Without `no-transform` compression would hold events back.
  'cache-control': 'no-store, no-transform',
  // Disables buffering in nginx.
  'x-accel-buffering': 'no',
}

/** A request for the payment status of an order. */
export interface OrderStatusRequest {
  method?: string | undefined
  /** The value of the header `last-event-id`. */
  lastEventId?: unknown
  /** Returns the key of the order; may check the visitor, and throw. */
  key: () => string | OrderKey | Promise<string | OrderKey>
}

/** The response: 200 with a body, 204 after `paid`, or 503. */
export interface OrderStatusResponse {
  status: number
  headers: Record<string, string>
  /** Server-sent events for one reader. Call its `return()` when the client leaves. */
  body?: AsyncIterableIterator<string> | undefined
}

/** The open status streams of a bridge. */
export interface OrderStatusStreams {
  /** Opens a stream. @throws errors of `key`, and a `ConfigurationError` for a key that is not one. */
  respond(request: OrderStatusRequest): Promise<OrderStatusResponse>
  /** Ends all streams, and opens no further ones. */
  close(): void
}

const MESSAGES: StatusMessages<string> = {
  first: 'retry: 3000\n\n',
  beat: ':\n\n',
  of: (event) =>
    `${event.status === 'paid' ? `id: ${PAID_ID}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
}

/**
 * Creates the server-sent events `data: {"status":"waiting"}` of a bridge, with {@link createStatusStreams}.
 * @param options.maxStreams the response to further requests is 503. @default 10_000
 */
export function createOrderStatusStreams(
  payments: Pick<Payments, 'watchStatus' | 'internals'>,
  { maxStreams = MAX_STREAMS }: { maxStreams?: number | undefined } = {},
): OrderStatusStreams {
  const streams = createStatusStreams(payments, MESSAGES)
  let isClosed = false
  return {
    async respond({ method, lastEventId, key }) {
      if (lastEventId === PAID_ID) return { status: 204, headers: NO_STORE }
      const order = await key()
      if (isClosed || streams.size >= maxStreams) {
        return { status: 503, headers: { ...NO_STORE, 'retry-after': '30' } }
      }
      const response = { status: 200, headers: STREAM_HEADERS }
      if (method !== 'HEAD') return { ...response, body: streams.open(order) }
      // Checks the key.
      payments.watchStatus(order)
      return response
    },
    close() {
      isClosed = true
      streams.close()
    },
  }
}
