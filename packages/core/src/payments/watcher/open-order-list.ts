import { attempt } from '../orders/checked-repository.js'
import { orderId, type Order } from '../orders/order.js'
import { errorFacts } from '../../shared/error-facts.js'
import { indexOrders, watchOrder, type OpenOrders, type WatchedOrder } from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'
import { CLOCK_TOLERANCE_MS, timeOf } from '../orders/order-age.js'

/** Older open orders are not listed, and no scan begins earlier. */
export const MAX_ORDER_AGE_MS = 30 * 86_400_000
/** Open orders in memory, oldest first. */
const MAX_OPEN_ORDERS = 20_000
/** A repository may show an order some time after its `createdAt`. */
const COMMIT_MS = 10_000

/** Orders by {@link orderId}; `undefined` for an order without a recipient, or that the rules cannot use. */
interface List {
  orders: Map<string, WatchedOrder | undefined>
  unwatched: number
  oldestMs: number | undefined
  newestMs: number | undefined
}

/**
 * The open orders that this process knows: none until the first `reload`. All methods throw {@link RepositoryError} when the
 * repository fails. Concurrent calls take turns, and orders are only replaced by a complete list.
 */
export class OpenOrderList {
  index: OpenOrders = indexOrders([])
  readonly #options: ResolvedWatcherOptions
  #list = emptyList()
  #listedAtMs = 0
  #reloadedAtMs = -Infinity
  #turn: Promise<void> = Promise.resolve()

  constructor(options: ResolvedWatcherOptions) {
    this.#options = options
  }

  /** When the newest order was created, milliseconds since the Unix epoch. */
  get newestMs(): number | undefined {
    return this.#list.newestMs
  }

  /** Includes orders without a recipient. */
  get counts(): { openOrders: number; unwatched: number; oldestOpenMs: number | undefined } {
    const { orders, unwatched, oldestMs: oldestOpenMs } = this.#list
    return { openOrders: orders.size, unwatched, oldestOpenMs }
  }

  /** Returns the wallets to watch, canonical: `wallets` of Payments, and the recipients of open orders. */
  wallets(): ReadonlySet<string> {
    return new Set([...(this.#options.payments.internals.wallets ?? []), ...this.index.recipients])
  }

  /** Lists all open orders that are not older than `maxAgeMs`, at most 20,000, oldest first. */
  reload(maxAgeMs = MAX_ORDER_AGE_MS): Promise<void> {
    return this.#inTurn(async () => {
      const isFull = this.#list.orders.size >= MAX_OPEN_ORDERS
      const list = { ...emptyList(), newestMs: isFull ? this.newestMs : undefined }
      await this.#read(list, { createdAfterMs: 0, maxAgeMs })
      this.#replace(list)
      this.#reloadedAtMs = this.#listedAtMs
      this.#logProblems()
    })
  }

  /** Adds new orders; lists all again every `maxIntervalMs`, also in a process without runs: others are completed by now. */
  refresh(): Promise<void> {
    const { clock, maxIntervalMs } = this.#options
    return clock.nowMs() - this.#reloadedAtMs < maxIntervalMs ? this.addNew() : this.reload()
  }

  /** Adds the orders that were created since the last call. */
  addNew(): Promise<void> {
    return this.#inTurn(async () => {
      const list = this.#list
      const countBefore = list.orders.size
      try {
        const createdAfterMs = this.#listedAtMs - COMMIT_MS
        await this.#read(list, { createdAfterMs, maxAgeMs: MAX_ORDER_AGE_MS })
      } finally {
        if (list.orders.size > countBefore) this.#replace(list)
      }
    })
  }

  #replace(list: List): void {
    this.#list = list
    this.index = indexOrders([...list.orders.values()].flatMap((one) => one ?? []))
  }

  #inTurn(read: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(read)
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  /** Adds orders to a list. */
  async #read(
    list: List,
    { createdAfterMs, maxAgeMs }: { createdAfterMs: number; maxAgeMs: number },
  ): Promise<void> {
    const { clock, payments } = this.#options
    const nowMs = clock.nowMs()
    const { orders } = list
    // A full list still learns of one new order, whose payment is then looked for often.
    const limit = Math.max(MAX_OPEN_ORDERS - orders.size, 1)
    const createdAfter = new Date(Math.max(0, createdAfterMs, nowMs - maxAgeMs))
    await attempt('orders.listOpen', async () => {
      let count = 0
      for await (const order of payments.internals.orders.listOpen({ createdAfter, limit })) {
        const createdMs = timeOf(order.createdAt)
        // A repository may ignore the query.
        if (createdMs !== undefined && createdMs < createdAfter.getTime()) continue
        if (++count > limit) break
        if (createdMs !== undefined) list.newestMs = Math.max(list.newestMs ?? createdMs, createdMs)
        if (orders.size < MAX_OPEN_ORDERS) this.#add(list, order, createdMs)
      }
    })
    this.#listedAtMs = nowMs
  }

  #add(list: List, order: Order, createdMs: number | undefined): void {
    const id = orderId(order)
    if (list.orders.has(id)) return
    if (createdMs !== undefined) list.oldestMs = Math.min(list.oldestMs ?? createdMs, createdMs)
    let watched: WatchedOrder | undefined
    try {
      watched = watchOrder(order, this.#options)
    } catch (error) {
      this.#options.logger.error('open order not usable', { error: errorFacts(error) })
    }
    if (watched === undefined) list.unwatched++
    list.orders.set(id, watched)
  }

  #logProblems(): void {
    const { clock, logger } = this.#options
    const { orders, unwatched, newestMs = -Infinity } = this.#list
    const futureMs = newestMs - clock.nowMs()
    if (futureMs > CLOCK_TOLERANCE_MS) {
      logger.warn(
        'open orders were created in the future; correct the clock or the time zone of the database',
        { futureMs },
      )
    }
    if (orders.size >= MAX_OPEN_ORDERS) {
      logger.warn(
        'open orders reach the limit in memory; newer ones are only found by body hash and reference',
        { limit: MAX_OPEN_ORDERS },
      )
    }
    if (unwatched > 0) {
      logger.warn(
        'open orders have no recipient wallet; set wallets on Payments, or a recipient on each order',
        { orders: unwatched },
      )
    }
  }
}

function emptyList(): List {
  return { orders: new Map(), unwatched: 0, oldestMs: undefined, newestMs: undefined }
}
