import { FINALITIES, type Finality, type StreamSubscription } from './subscription.js'
import type { StreamFaults } from './faults.js'
import type { StreamedEvent } from './trace-update.js'

/** Writes to the client. */
export interface Wire {
  event(text: string): void
  /** Writes the comment that shows that the connection is alive; nothing for a WebSocket. */
  keepAlive(): void
  /** Ends the connection abruptly. */
  destroy(): void
}

/** An open connection with its subscription. */
export interface StreamConnection {
  /** Absent before the first subscription of a WebSocket. */
  subscription: StreamSubscription | undefined
  send(events: readonly StreamedEvent[]): void
  /** Sends any text as an event. */
  sendText(text: string): void
  keepAlive(): void
  /** Takes back a trace, if one of its events was sent and none of them was final. */
  invalidate(hash: string): void
  destroy(): void
}

/**
 * Creates a connection of the simulated stream: it sends the events that its subscription wants, with the faults that tests
 * ask for.
 * @param faults of the server, which tests change at any time
 */
export function createConnection(wire: Wire, faults: StreamFaults): StreamConnection {
  /** The last finality that was sent, by trace. */
  const sent = new Map<string, Finality>()
  let count = 0
  const deliver = (event: StreamedEvent): void => {
    const { isHalfOpen, dropAfter, drops, repeats } = faults
    if (isHalfOpen || count >= dropAfter || drops?.(event) === true) return
    count++
    for (let copy = 0; copy < repeats; copy++) wire.event(JSON.stringify(event))
  }
  const connection: StreamConnection = {
    subscription: undefined,
    send(events) {
      for (const event of events) {
        const { finality, trace_external_hash_norm: hash } = event
        if (!isWanted(connection.subscription, finality)) continue
        if (typeof hash === 'string') sent.set(hash, finality as Finality)
        deliver(event)
      }
    },
    keepAlive() {
      if (!faults.isHalfOpen) wire.keepAlive()
    },
    sendText: (text) => wire.event(text),
    invalidate(hash) {
      const finality = sent.get(hash)
      sent.delete(hash)
      if (finality === undefined || finality === 'finalized') return
      deliver({ type: 'trace_invalidated', trace_external_hash_norm: hash })
    },
    destroy: () => wire.destroy(),
  }
  return connection
}

function isWanted(subscription: StreamSubscription | undefined, finality: unknown): boolean {
  if (subscription === undefined) return false
  const least = FINALITIES.indexOf(subscription.minFinality)
  return FINALITIES.findIndex((one) => one === finality) >= least
}
