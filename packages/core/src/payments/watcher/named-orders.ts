import { attempt } from '../orders/checked-repository.js'
import { isOpen, type Order } from '../orders/order.js'
import { isExactComment, isReference } from '../orders/order-key.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { readBodyHash } from '../orders/body-hash.js'
import { toBase64Hash } from '../../toncenter/schema/params.js'
import { inChunks } from '../../shared/in-chunks.js'
import { watchOrder, type OpenOrders, type OrderHint, type WatchedOrder } from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'

/** A transaction that may be a payment. */
export interface HintedTransaction {
  txHash: string
  traceId: string | undefined
}

interface NamedOrder {
  order: Order
  watched: WatchedOrder | undefined
}

/** A batch method of the repository. */
interface Finder {
  operation: string
  find: (keys: string[]) => Promise<(Order | null)[] | undefined>
  /** Returns the key that an order was asked for by. */
  keyOf: (order: Order) => string | undefined
}

/** The limit of the repository's contract. */
const KEYS_PER_CALL = 1000
/** Transactions for each call of a repository without `findByReferences`. */
const ROWS_PER_CALL = 100
/** Keys in the cache; each batch adds at most some thousands. */
const MAX_CACHED = 20_000

/**
 * Orders that are looked up because a message names them: completed, cancelled, or not among the listed open orders.
 * Look-ups are batched and cached for one run. Without the repository's batch methods they find less.
 */
export class NamedOrders {
  readonly #options: ResolvedWatcherOptions
  readonly #listed: OpenOrders
  /** Both caches contain missing orders too, as empty lists. This one is by lower-case hex. */
  readonly #byBody = new Map<string, NamedOrder[]>()
  readonly #byComment = new Map<string, NamedOrder[]>()
  /** Rows without a call of `find`. A run without rows may cause one. */
  #rowsLeft = ROWS_PER_CALL

  /** @param listed the open orders; their comments need no look-up */
  constructor(options: ResolvedWatcherOptions, listed: OpenOrders) {
    this.#options = options
    this.#listed = listed
  }

  /**
   * Reads the orders that hints name, with at most one call for each 1000 body hashes and each 1000 comments.
   * @param newRows how many rows the scan has read since the last call; a repository without `findByReferences` is called
   *   once for 100 of them
   */
  async load(hints: readonly OrderHint[], newRows = 0): Promise<void> {
    for (const cache of [this.#byBody, this.#byComment]) if (cache.size > MAX_CACHED) cache.clear()
    this.#rowsLeft += newRows
    const { matchBy, isCommentReference } = this.#options
    if (matchBy.includes('body')) await this.#loadBodies(hints)
    if (matchBy.includes('comment') && isCommentReference) await this.#loadComments(hints)
  }

  /**
   * Returns the orders that a loaded hint names, by the reliability of the field: first those that can still be completed,
   * listed or not.
   */
  find({ bodyHash = '', comment = '' }: OrderHint): WatchedOrder[][] {
    const byBody = this.#byBody.get(bodyHash) ?? []
    const byComment = this.#byComment.get(comment) ?? []
    return [
      unite(this.#listed.byBody.get(bodyHash), select(byBody, true)),
      unite(this.#listed.byComment.get(comment), select(byComment, true)),
      select(byBody, false),
      select(byComment, false),
    ]
  }

  /** Returns whether a loaded hint names an order. */
  isKnown(hint: OrderHint): boolean {
    return this.#named(hint).length > 0
  }

  /** Returns whether a loaded hint names an order that the rules can use. */
  isUsable(hint: OrderHint): boolean {
    return this.#usable(hint).length > 0
  }

  /** Returns whether a loaded hint names an order, and no order names the transaction as its payment. */
  isPayable(hint: OrderHint, { txHash }: Pick<HintedTransaction, 'txHash'>): boolean {
    const usable = this.#usable(hint)
    const hash = canonicalTransactionHash(txHash)
    return usable.length > 0 && !usable.some(({ order }) => order.payment?.txHash === hash)
  }

  /** Returns the orders of a loaded hint that the transaction has completed. */
  completedBy(hint: OrderHint, transaction: HintedTransaction): WatchedOrder[] {
    const completed = this.#named(hint).filter(({ order }) => isPaidBy(order, transaction))
    return completed.flatMap(({ watched }) => watched ?? [])
  }

  #named({ bodyHash = '', comment = '' }: OrderHint): NamedOrder[] {
    return [...(this.#byBody.get(bodyHash) ?? []), ...(this.#byComment.get(comment) ?? [])]
  }

  #usable(hint: OrderHint): NamedOrder[] {
    return this.#named(hint).filter(({ watched }) => watched !== undefined)
  }

  async #loadBodies(hints: readonly OrderHint[]): Promise<void> {
    const { orders } = this.#options.payments.internals
    if (orders.findByBodyHashes === undefined) return
    const base64 = new Map(hints.map(({ bodyHash = '' }) => [bodyHash, toBase64Hash(bodyHash)]))
    const hashes = [...base64].flatMap(([hex, hash]) => (hash === undefined ? [] : hex))
    await this.#read(this.#byBody, hashes, {
      operation: 'orders.findByBodyHashes',
      find: async (part) => orders.findByBodyHashes?.(part.flatMap((hex) => base64.get(hex) ?? [])),
      keyOf: ({ bodyBase64Hash }) => readBodyHash(bodyBase64Hash),
    })
  }

  async #loadComments(hints: readonly OrderHint[]): Promise<void> {
    const { orders } = this.#options.payments.internals
    // Payers write anything in a comment.
    const comments = hints.flatMap(({ comment = '' }) =>
      isReference(comment) && isExactComment(comment) ? comment : [],
    )
    if (orders.findByReferences === undefined) {
      await this.#findEach([...new Set(comments)])
      return
    }
    await this.#read(this.#byComment, comments, {
      operation: 'orders.findByReferences',
      find: async (part) => orders.findByReferences?.(part),
      keyOf: ({ reference }) => reference,
    })
  }

  /** Looks up the newest references first: older ones had their turn in an earlier run. */
  async #findEach(references: readonly string[]): Promise<void> {
    const { orders } = this.#options.payments.internals
    const chosen = references
      .filter((one) => !this.#byComment.has(one) && !this.#listed.byComment.has(one))
      .toReversed()
      .slice(0, Math.floor(this.#rowsLeft / ROWS_PER_CALL))
    this.#rowsLeft -= chosen.length * ROWS_PER_CALL
    for (const reference of chosen) {
      await this.#read(this.#byComment, [reference], {
        operation: 'orders.find',
        find: async () => [await orders.find({ reference, merchant: '' })],
        keyOf: () => reference,
      })
    }
  }

  /** Reads the orders of the keys that are not cached. */
  async #read(
    cache: Map<string, NamedOrder[]>,
    keys: readonly string[],
    { operation, find, keyOf }: Finder,
  ): Promise<void> {
    const missing = new Set(keys.filter((key) => !cache.has(key)))
    for (const part of inChunks([...missing], KEYS_PER_CALL)) {
      const orders = (await attempt(operation, () => find(part))) ?? []
      for (const key of part) cache.set(key, [])
      for (const order of orders) {
        if (order === null) continue
        cache.get(keyOf(order) ?? '')?.push({ order, watched: this.#watch(order) })
      }
    }
  }

  /** An order that the rules cannot use must not affect the others. */
  #watch(order: Order): WatchedOrder | undefined {
    try {
      return watchOrder(order, this.#options)
    } catch {
      return undefined
    }
  }
}

function select(orders: readonly NamedOrder[], wantsOpen: boolean): WatchedOrder[] {
  return orders.flatMap(({ order, watched }) =>
    watched !== undefined && isOpen(order) === wantsOpen ? watched : [],
  )
}

/** Returns the listed orders, and those that were looked up and are not listed. */
function unite(
  listed: readonly WatchedOrder[] = [],
  lookedUp: readonly WatchedOrder[],
): WatchedOrder[] {
  const isListed = (order: WatchedOrder): boolean =>
    listed.some(
      ({ reference, merchant }) => reference === order.reference && merchant === order.merchant,
    )
  return [...listed, ...lookedUp.filter((order) => !isListed(order))]
}

function isPaidBy({ payment }: Order, { txHash, traceId = '' }: HintedTransaction): boolean {
  if (!payment) return false
  const names = [payment.txHash, canonicalTransactionHash(payment.traceId)]
  return [txHash, traceId].some(
    (name) => name !== '' && names.includes(canonicalTransactionHash(name)),
  )
}
