import { attempt } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
import {
  indexOrders,
  orderId,
  watchOrder,
  type OpenOrders,
  type WatchedOrder,
} from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'
import { timeOf } from './proof/order-age.js'

/** A repository may show an order some time after its `createdAt`. */
const COMMIT_MS = 10_000

/** The open orders that this process knows. All methods throw {@link RepositoryError} when the repository fails. */
export interface OpenOrderList {
  /** Lists all open orders, at most `maxOpenOrders` that are not older than `maxOrderAgeMs`, oldest first. */
  reload(): Promise<void>
  /** Adds the orders that were created since the last call. */
  addNew(): Promise<void>
  readonly index: OpenOrders
  /** Includes orders without a recipient. */
  readonly counts: { openOrders: number; unwatched: number; oldestOpenMs: number | undefined }
  /** When the newest order was created, milliseconds since the Unix epoch. */
  readonly newestMs: number | undefined
}

/** Creates a list that is empty until the first `reload`. */
export function createOpenOrderList<O extends Order>(
  options: ResolvedWatcherOptions<O>,
): OpenOrderList {
  const { clock, maxOrderAgeMs, maxOpenOrders, logger } = options
  let list = emptyList()
  let index = indexOrders([])
  let newestMs: number | undefined
  let listedAtMs = 0

  const read = async (createdAfterMs: number): Promise<void> => {
    const nowMs = clock.nowMs()
    const countBefore = list.orders.size
    // A full list still learns of one new order, whose payment is then looked for often.
    const limit = Math.max(maxOpenOrders - countBefore, 1)
    const createdAfter = new Date(Math.max(0, createdAfterMs, nowMs - maxOrderAgeMs))
    await attempt('orders.listOpen', async () => {
      let count = 0
      for await (const order of options.payments.orders.listOpen({ createdAfter, limit })) {
        const createdMs = timeOf(order.createdAt)
        // A repository may ignore the query.
        if (createdMs !== undefined && createdMs < createdAfter.getTime()) continue
        if (++count > limit) break
        newestMs = later(newestMs, createdMs)
        if (list.orders.size < maxOpenOrders) addOrder(options, list, order)
      }
    })
    listedAtMs = nowMs
    if (list.orders.size > countBefore) {
      index = indexOrders([...list.orders.values()].flatMap((one) => one ?? []))
    }
  }

  return {
    async reload() {
      const isFull = list.orders.size >= maxOpenOrders
      list = emptyList()
      index = indexOrders([])
      if (!isFull) newestMs = undefined
      await read(0)
      logProblems(list, { maxOpenOrders, logger })
    },
    addNew: () => read(listedAtMs - COMMIT_MS),
    get index() {
      return index
    },
    get counts() {
      return {
        openOrders: list.orders.size,
        unwatched: list.unwatched,
        oldestOpenMs: list.oldestMs,
      }
    },
    get newestMs() {
      return newestMs
    },
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

function addOrder<O extends Order>(options: ResolvedWatcherOptions<O>, list: List, order: O): void {
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
