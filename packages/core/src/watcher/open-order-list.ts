import { attempt } from '../orders/checked-repository.js'
import { orderId, type Order } from '../orders/order.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
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
  #list = emptyList()
  #listedAtMs = 0

  constructor(options: ResolvedWatcherOptions) {
    this.#options = options
  }

  /** Includes orders without a recipient. */
  get counts(): { openOrders: number; unwatched: number; oldestOpenMs: number | undefined } {
    const { orders, unwatched, oldestMs: oldestOpenMs } = this.#list
    return { openOrders: orders.size, unwatched, oldestOpenMs }
  }

  /** Lists all open orders, at most `maxOpenOrders` that are not older than `maxOrderAgeMs`, oldest first. */
  async reload(): Promise<void> {
    const isFull = this.#list.orders.size >= this.#options.maxOpenOrders
    this.#list = emptyList()
    this.index = indexOrders([])
    if (!isFull) this.newestMs = undefined
    await this.#read(0)
    logProblems(this.#list, this.#options)
  }

  /** Adds the orders that were created since the last call. */
  addNew(): Promise<void> {
    return this.#read(this.#listedAtMs - COMMIT_MS)
  }

  async #read(createdAfterMs: number): Promise<void> {
    const { clock, payments, maxOrderAgeMs, maxOpenOrders } = this.#options
    const nowMs = clock.nowMs()
    const countBefore = this.#list.orders.size
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
        this.newestMs = later(this.newestMs, createdMs)
        if (this.#list.orders.size < maxOpenOrders) addOrder(this.#options, this.#list, order)
      }
    })
    this.#listedAtMs = nowMs
    if (this.#list.orders.size > countBefore) {
      this.index = indexOrders([...this.#list.orders.values()].flatMap((one) => one ?? []))
    }
  }
}

/** The listed orders by {@link orderId}; `undefined` for one without a recipient, or that the rules cannot use. */
interface List {
  orders: Map<string, WatchedOrder | undefined>
  unwatched: number
  oldestMs: number | undefined
}

function emptyList(): List {
  return { orders: new Map(), unwatched: 0, oldestMs: undefined }
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)
}

function addOrder(options: ResolvedWatcherOptions, list: List, order: Order): void {
  const id = orderId(order)
  if (list.orders.has(id)) return
  const createdMs = timeOf(order.createdAt)
  if (createdMs !== undefined) list.oldestMs = Math.min(list.oldestMs ?? createdMs, createdMs)
  let watched: WatchedOrder | undefined
  try {
    watched = watchOrder(order, { ...options, wallets: options.payments.wallets })
  } catch (error) {
    options.logger.error('open order not usable', { error: errorFacts(error) })
  }
  if (watched === undefined) list.unwatched++
  list.orders.set(id, watched)
}

function logProblems(
  { orders, unwatched }: List,
  { maxOpenOrders, logger }: { maxOpenOrders: number; logger: Logger },
): void {
  if (orders.size >= maxOpenOrders) {
    logger.warn(
      'open orders reach maxOpenOrders; newer ones are only found by body hash and reference',
      { maxOpenOrders },
    )
  }
  if (unwatched > 0) {
    logger.warn(
      'open orders have no recipient wallet; set wallets on Payments, or a recipient on each order',
      { orders: unwatched },
    )
  }
}
