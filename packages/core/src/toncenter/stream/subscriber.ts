import { untilAborted } from '../../shared/abort.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import type { ChainEvent, StreamEvent } from './events.js'
import { createDeferred, type Deferred } from './link.js'
import { NewestEvents } from './newest-events.js'
import { covers, selectEvent, type Selection } from './subscription.js'

/** Events that wait for a slow loop. */
const MAX_WAITING = 1000

/** One loop over the events of a stream. */
export class Subscriber {
  readonly selection: Selection
  readonly #newest = new NewestEvents()
  #waiting: StreamEvent[] = []
  #isConnected = false
  #isEnded = false
  #reader: Deferred<void> | undefined

  constructor(selection: Selection) {
    this.selection = selection
  }

  /** Delivers the part of an event that is selected and new. After `connected`, API v3 has those before it. */
  push(event: ChainEvent): void {
    if (!this.#isConnected) return
    const selected = selectEvent(event, this.selection)
    const fresh = selected && this.#newest.take(selected)
    if (fresh === undefined) return
    this.#add(this.#waiting.length >= MAX_WAITING ? { type: 'missed' } : fresh)
  }

  /** Delivers that an event was lost. */
  pushMissed(): void {
    if (this.#isConnected) this.#add({ type: 'missed' })
  }

  /** Delivers `connected` if the acknowledged subscription is enough and was not before. */
  connect(acknowledged: Selection): void {
    if (this.#isConnected || !covers(acknowledged, this.selection)) return
    this.#isConnected = true
    this.#add({ type: 'connected' })
  }

  /** Delivers `disconnected`, unless it was not connected. */
  disconnect(error: TonplugError): void {
    if (!this.#isConnected) return
    this.#isConnected = false
    this.#add({ type: 'disconnected', error })
  }

  /** Returns the next event; `undefined` at the end. @throws the signal's reason. */
  async next(signal: AbortSignal): Promise<StreamEvent | undefined> {
    signal.throwIfAborted()
    while (this.#waiting.length === 0 && !this.#isEnded) {
      this.#reader = createDeferred<void>()
      await untilAborted(this.#reader.promise, signal)
    }
    return this.#waiting.shift()
  }

  /** Ends the loop after the waiting events. */
  end(): void {
    this.#isEnded = true
    this.#reader?.resolve()
  }

  #add(event: StreamEvent): void {
    // What a loop is too slow for is read from API v3.
    if (this.#waiting.length >= MAX_WAITING) this.#waiting = this.#waiting.filter(isOfConnection)
    if (event.type !== 'missed' || this.#waiting.at(-1)?.type !== 'missed') {
      this.#waiting.push(event)
    }
    this.#reader?.resolve()
  }
}

function isOfConnection({ type }: StreamEvent): boolean {
  return type === 'connected' || type === 'disconnected'
}
