import { createLogLimit } from '../../shared/log-limit.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import { cancelableLoop } from '../paging/cancelable-loop.js'
import { Connection } from './connection.js'
import type { StreamEvent } from './events.js'
import { resolveStreamOptions, type ResolvedStreamOptions, type StreamOptions } from './options.js'
import { readEvent } from './read-event.js'
import { createSseOpener } from './sse.js'
import { Subscriber } from './subscriber.js'
import {
  checkSubscription,
  unite,
  type Selection,
  type StreamSubscription,
} from './subscription.js'
import { createWebSocketOpener } from './web-socket.js'

/** A connection to the Streaming API of TON Center, shared by all loops. It never fails: while it is down, loops wait. */
export interface Stream {
  /**
   * Receives events in a loop, which begins with `connected` as soon as the server has acknowledged the subscription. The
   * loop ends with the reason of `signal`, when it is left, or after `close`. Several loops share one connection.
   * @throws {ConfigurationError} at once for an invalid subscription.
   */
  subscribe(subscription: StreamSubscription): AsyncIterable<StreamEvent>
  /** Returns the state and its counters, for a monitor. It makes no requests. */
  health(): {
    /** `down` while something is subscribed that the server has not acknowledged. Its loops poll in the meantime. */
    status: 'up' | 'down'
    /** `idle`: nothing is subscribed. `waiting`: the next attempt is later. */
    state: 'idle' | 'connecting' | 'connected' | 'waiting' | 'closed'
    /** Why the status is `down`, for example a limit of connections. */
    error?: TonplugError
    /** Time until the next attempt, milliseconds. */
    retryInMs?: number
    /** Connections that were opened. */
    connections: number
    /** Events that were received. */
    events: number
    /** Events that were received and could not be read. */
    unreadable: number
  }
  /** Closes the connection and ends all loops. */
  close(): void
}

/**
 * Creates a stream of TON Center: events of accounts and messages within a second. Nothing is sent before the first loop
 * begins. Events may be missing, late or repeated: use them as hints to read API v3, which `createPaymentWatcher`,
 * `waitForMessage` and `watch` do with the option `stream`.
 * Source: streaming facts, parts 1 to 6.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @example
 * ```ts
 * import { createStream } from '@tonplug/core/toncenter'
 *
 * const stream = createStream({ network: 'testnet', apiKey: process.env.TONCENTER_API_KEY })
 * const addresses = [process.env.SHOP_WALLET ?? '']
 * for await (const event of stream.subscribe({ types: ['transactions'], addresses })) {
 *   if (event.type === 'transactions') console.log(event.finality, event.transactions.length)
 * }
 * ```
 */
export function createStream(options: StreamOptions = {}): Stream {
  const resolved = resolveStreamOptions(options)
  const { clock, WebSocket } = resolved
  const subscribers = new Set<Subscriber>()
  const received = createReceiver(resolved, subscribers)
  let isClosed = false
  const connection = new Connection({
    stream: resolved,
    open: WebSocket ? createWebSocketOpener(resolved, WebSocket) : createSseOpener(resolved),
    wanted: () => unite([...subscribers].map(({ selection }) => selection)),
    onEvent: received.receive,
    onConnected: (acknowledged) => subscribers.forEach((one) => one.connect(acknowledged)),
    onDisconnected: (error) => subscribers.forEach((one) => one.disconnect(error)),
  })
  async function* loop(selection: Selection, ended: AbortSignal): AsyncGenerator<StreamEvent> {
    if (isClosed) return
    const subscriber = new Subscriber(selection)
    subscribers.add(subscriber)
    connection.update()
    try {
      for (let event; (event = await subscriber.next(ended)) !== undefined;) yield event
    } finally {
      subscribers.delete(subscriber)
      connection.update()
    }
  }

  return {
    subscribe({ signal, ...subscription }) {
      const selection = checkSubscription(subscription)
      const begin = (ended: AbortSignal) => loop(selection, ended)
      return { [Symbol.asyncIterator]: () => cancelableLoop(begin, signal) }
    },
    health: () => ({ ...healthOf(connection, clock.nowMs()), ...received.counts() }),
    close() {
      isClosed = true
      connection.close()
      for (const one of subscribers) one.end()
    },
  }
}

/** Delivers the events of a connection to all loops, and counts them. */
function createReceiver(
  { clock, logger }: ResolvedStreamOptions,
  subscribers: ReadonlySet<Subscriber>,
) {
  const mayLog = createLogLimit(clock)
  let events = 0
  let unreadable = 0
  return {
    counts: () => ({ events, unreadable }),
    receive(this: void, json: unknown): void {
      events++
      const event = readEvent(json)
      if (event !== undefined) {
        for (const one of subscribers) one.push(event)
        return
      }
      unreadable++
      const suppressed = mayLog('unreadable')
      if (suppressed !== undefined) logger.warn('event of the stream not readable', { suppressed })
      for (const one of subscribers) one.pushMissed()
    },
  }
}

function healthOf({ state, error, retryAtMs, opened: connections }: Connection, nowMs: number) {
  const isUp = state === 'idle' || (state === 'connected' && error === undefined)
  const retryInMs = Math.ceil(retryAtMs - nowMs)
  return {
    status: isUp ? ('up' as const) : ('down' as const),
    state,
    ...(error !== undefined && { error }),
    ...(retryInMs > 0 && state === 'waiting' && { retryInMs }),
    connections,
  }
}
