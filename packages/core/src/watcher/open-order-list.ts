import { attempt } from '../orders/checked-repository.js'
import { orderId, type Order } from '../orders/order.js'
import { errorFacts } from '../shared/error-facts.js'
import { indexOrders, watchOrder, type OpenOrders, type WatchedOrder } from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'
import { timeOf } from './proof/order-age.js'

/** A repository may show an order some time after its `createdAt`. */
const COMMIT_MS = 10_000

/**
 * The open orders that this process knows: none until the first `reload`. All methods throw {@link RepositoryError} when the
 * repository fails.
 */
export class OpenOrderList {
  index: OpenOrders = indexOrders([])
  /** When the newest order was created, milliseconds since the Unix epoch. */
  newestMs: number | undefined
  readonly #options: ResolvedWatcherOptions
  /** Orders by {@link orderId}; `undefined` for an order without a recipient, or that the rules cannot use. */
  readonly #orders = new Map<string, WatchedOrder | undefined>()
  #unwatched = 0
  #oldestMs: number | undefined
  #listedAtMs = 0

  constructor(options: ResolvedWatcherOptions) {
    this.#options = options
  }

  /** Includes orders without a recipient. */
  get counts(): { openOrders: number; unwatched: number; oldestOpenMs: number | undefined } {
    const { size: openOrders } = this.#orders
    return { openOrders, unwatched: this.#unwatched, oldestOpenMs: this.#oldestMs }
  }

  /** Returns the wallets to watch, canonical: those of Payments, and the recipients of open orders. */
  wallets(): ReadonlySet<string> {
    return new Set([...(this.#options.payments.wallets ?? []), ...this.index.recipients])
  }

  /** Lists all open orders, at most `maxOpenOrders` that are not older than `maxOrderAgeMs`, oldest first. */
  async reload(): Promise<void> {
    if (this.#orders.size < this.#options.maxOpenOrders) this.newestMs = undefined
    this.#orders.clear()
    this.#unwatched = 0
    this.#oldestMs = undefined
    this.index = indexOrders([])
    await this.#read(0)
    this.#logProblems()
  }

  /** Adds the orders that were created since the last call. */
  addNew(): Promise<void> {
    return this.#read(this.#listedAtMs - COMMIT_MS)
  }

  async #read(createdAfterMs: number): Promise<void> {
    const { clock, payments, maxOrderAgeMs, maxOpenOrders } = this.#options
    const nowMs = clock.nowMs()
    const countBefore = this.#orders.size
    // A full list still learns of one new order, whose payment is then looked for often.
    const limit = Math.max(maxOpenOrders - countBefore, 1)
    const createdAfter = new Date(Math.max(0, createdAfterMs, nowMs - maxOrderAgeMs))
    await attempt('orders.listOpen', async () => {
      let count = 0
      for await (const order of payments.orders.listOpen({ createdAfter, limit })) {
        const createdMs = timeOf(order.createdAt)
        // A repository may ignore the query.
        if (createdMs !== undefined && createdMs < createdAfter.getTime()) continue
        if (++count > limit) break
        if (createdMs !== undefined) this.newestMs = Math.max(this.newestMs ?? createdMs, createdMs)
        if (this.#orders.size < maxOpenOrders) this.#add(order, createdMs)
      }
    })
    this.#listedAtMs = nowMs
    if (this.#orders.size > countBefore) {
      this.index = indexOrders([...this.#orders.values()].flatMap((one) => one ?? []))
    }
  }

  #add(order: Order, createdMs: number | undefined): void {
    const id = orderId(order)
    if (this.#orders.has(id)) return
    if (createdMs !== undefined) this.#oldestMs = Math.min(this.#oldestMs ?? createdMs, createdMs)
    let watched: WatchedOrder | undefined
    try {
      watched = watchOrder(order, this.#options)
    } catch (error) {
      this.#options.logger.error('open order not usable', { error: errorFacts(error) })
    }
    if (watched === undefined) this.#unwatched++
    this.#orders.set(id, watched)
  }

  #logProblems(): void {
    const { maxOpenOrders, logger } = this.#options
    if (this.#orders.size >= maxOpenOrders) {
      logger.warn(
        'open orders reach maxOpenOrders; newer ones are only found by body hash and reference',
        { maxOpenOrders },
      )
    }
    if (this.#unwatched > 0) {
      logger.warn(
        'open orders have no recipient wallet; set wallets on Payments, or a recipient on each order',
        { orders: this.#unwatched },
      )
    }
  }
}
