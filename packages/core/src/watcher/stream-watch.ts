import { canonicalAddress } from '../shared/address.js'
import { errorFacts } from '../shared/error-facts.js'
import type { StreamEvent } from '../toncenter/stream/events.js'
import type { Hints } from './hints.js'
import type { ResolvedWatcherOptions } from './options.js'
import { isCredit, SeenOrders, type ListedOrders } from './seen-orders.js'

/** Dependencies of {@link StreamWatch}. */
interface StreamWatchOptions extends Pick<
  ResolvedWatcherOptions,
  'stream' | 'payments' | 'logger'
> {
  hints: Pick<Hints, 'add'>
  openOrders: ListedOrders
  /** Called when the stream is connected or lost: events may be missing. */
  lookNow: () => void
  /** Called when an event was not readable. */
  lookSoon: () => void
  /** Aborted when the watcher is closed. */
  closing: AbortSignal
}

/** Listens to a stream while this server watches. Nothing that it reports is trusted: it only begins look-ups. */
export class StreamWatch {
  /** True while the stream reports what the wallets receive. */
  isConnected = false
  readonly #options: StreamWatchOptions
  readonly #seen: SeenOrders
  #current: { wallets: ReadonlySet<string>; controller: AbortController } | undefined

  constructor(options: StreamWatchOptions) {
    this.#options = options
    const { openOrders, payments } = options
    this.#seen = new SeenOrders(openOrders, (key, isSeen) => payments.setSeen(key, isSeen))
  }

  /** Listens for these wallets from now on; stops without any. */
  listen(wallets: ReadonlySet<string>): void {
    const { stream, closing } = this.#options
    if (stream === undefined || isSame(wallets, this.#current?.wallets ?? new Set())) return
    this.isConnected = false
    this.#current?.controller.abort()
    this.#current = undefined
    if (wallets.size === 0 || closing.aborted) return
    const controller = new AbortController()
    this.#current = { wallets, controller }
    void this.#read(wallets, AbortSignal.any([closing, controller.signal]))
  }

  async #read(wallets: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { stream, logger } = this.#options
    const types = ['transactions', 'jettons_change'] as const
    const subscription = { types, addresses: [...wallets], minFinality: 'pending', signal } as const
    try {
      for await (const event of stream?.subscribe(subscription) ?? []) this.#take(event)
    } catch (error) {
      if (signal.aborted) return
      logger.error('stream of the watcher ended; it polls', { error: errorFacts(error) })
    }
    this.isConnected = false
  }

  #take(event: StreamEvent): void {
    const { hints, lookNow, lookSoon } = this.#options
    switch (event.type) {
      case 'connected':
      case 'disconnected':
        this.isConnected = event.type === 'connected'
        lookNow()
        return
      case 'missed':
        lookSoon()
        return
      case 'transactions':
        if (event.finality !== 'finalized') {
          void this.#seen.add(event.trace_external_hash_norm, event.transactions)
          return
        }
        for (const one of event.transactions) {
          if (isCredit(one)) hints.add({ transactionHash: one.hash })
        }
        return
      case 'trace_invalidated':
        this.#seen.remove(event.trace_external_hash_norm)
        return
      case 'jettons_change': {
        const { address: account, last_transaction_lt: lt } = event.jetton
        if (event.finality === 'finalized') hints.add({ account: canonicalAddress(account), lt })
        return
      }
      default:
    }
  }
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((item) => other.has(item))
}
