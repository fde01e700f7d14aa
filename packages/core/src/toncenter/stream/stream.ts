import type { TonplugError } from '../../shared/tonplug-error.js'
import { cancelableLoop } from '../paging/cancelable-loop.js'
import { Connection } from './connection.js'
import type { StreamEvent } from './events.js'
import { resolveStreamOptions, type StreamOptions } from './options.js'
import { Subscriber } from './subscriber.js'
import { checkSubscription, type Selection, type StreamSubscription } from './subscription.js'

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
  const subscribers = new Set<Subscriber>()
  const connection = new Connection(resolveStreamOptions(options), subscribers)
  let isClosed = false
  async function* loop(selection: Selection, ended: AbortSignal): AsyncGenerator<StreamEvent> {
    if (isClosed) return
    ended.throwIfAborted()
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
    health: () => connection.health(),
    close() {
      isClosed = true
      connection.close()
      for (const one of subscribers) one.end()
    },
  }
}
