import { attempt } from '../orders/checked-repository.js'
import { isOpen, type Order, type Payment } from '../orders/order.js'
import type { OrderRepository } from '../orders/repository.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { readBodyHash } from './proof/read-body-hash.js'
import { toBase64Hash } from '../toncenter/schema/params.js'
import { inChunks } from './in-chunks.js'
import { watchOrder, type MatchRules, type OpenOrders, type WatchedOrder } from './open-orders.js'

/** The fields of a message that can name an order. */
export interface OrderHint {
  /** Lower-case hex. */
  bodyHash: string | undefined
  comment: string | undefined
}

/** A transaction that may be a payment. */
export interface HintedTransaction {
  txHash: string
  traceId: string | undefined
}

/** Orders by the field that names them. */
interface NamedBy {
  byBody: readonly WatchedOrder[]
  byComment: readonly WatchedOrder[]
}

/** A look-up of named orders. */
export interface NamedOrdersOptions extends MatchRules {
  repository: OrderRepository
  /** The listed open orders; their comments need no look-up. */
  listed: OpenOrders
  /** False when comments are not references. */
  isCommentReference: boolean
}

interface NamedOrder {
  order: Order
  watched: WatchedOrder | undefined
}

/** The limit of the repository's contract. */
const KEYS_PER_CALL = 1000
/** Transactions for each call of a repository without `findByReferences`. */
const ROWS_PER_CALL = 100
/** Keys in the cache; each batch adds at most some thousands. */
const MAX_CACHED = 20_000
/** No reference is longer, and payers write anything in a comment. */
const LONGEST_REFERENCE = 1024

/**
 * Orders that are looked up because a message names them: completed, cancelled, or not among the listed open orders.
 * Look-ups are batched and cached for one run. Without the repository's batch methods they find less.
 */
export class NamedOrders {
  readonly #options: NamedOrdersOptions
  /** Both caches contain missing orders too, as empty lists. This one is by lower-case hex. */
  readonly #byBody = new Map<string, NamedOrder[]>()
  readonly #byComment = new Map<string, NamedOrder[]>()
  /** Rows without a call of `find`. A run without rows may cause one. */
  #rowsLeft = ROWS_PER_CALL

  constructor(options: NamedOrdersOptions) {
    this.#options = options
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

  /** Returns the loaded orders that a hint names. Orders that can still be completed are listed apart. */
  find(hint: OrderHint): { open: NamedBy; closed: NamedBy } {
    const { body, comment } = this.#named(hint)
    return {
      open: { byBody: select(body, true), byComment: select(comment, true) },
      closed: { byBody: select(body, false), byComment: select(comment, false) },
    }
  }

  /** Returns whether a loaded hint names an order. */
  isKnown(hint: OrderHint): boolean {
    const { body, comment } = this.#named(hint)
    return body.length + comment.length > 0
  }

  /** Returns whether a loaded hint names an order, and the transaction is not the payment that completed it. */
  isPayable(hint: OrderHint, transaction: HintedTransaction): boolean {
    const { body, comment } = this.#named(hint)
    const orders = [...body, ...comment].flatMap(({ order, watched }) =>
      watched === undefined ? [] : order,
    )
    if (orders.some(({ payment }) => payment && isPaidBy(payment, transaction))) return false
    // Without its payment, any transaction may have completed a completed order.
    return orders.some(({ status, payment }) => status !== 'completed' || payment)
  }

  /** Returns the orders of a loaded hint that the transaction has completed. */
  completedBy(hint: OrderHint, transaction: HintedTransaction): WatchedOrder[] {
    const { body, comment } = this.#named(hint)
    return [...body, ...comment].flatMap(({ order: { payment }, watched }) =>
      watched !== undefined && payment && isPaidBy(payment, transaction) ? watched : [],
    )
  }

  #named({ bodyHash, comment }: OrderHint) {
    return {
      body: (bodyHash === undefined ? undefined : this.#byBody.get(bodyHash)) ?? [],
      comment: (comment === undefined ? undefined : this.#byComment.get(comment)) ?? [],
    }
  }

  async #loadBodies(hints: readonly OrderHint[]): Promise<void> {
    const { repository } = this.#options
    if (repository.findByBodyHashes === undefined) return
    const wanted = new Map<string, string>()
    for (const { bodyHash } of hints) {
      const base64 = toBase64Hash(bodyHash)
      if (bodyHash === undefined || base64 === undefined || this.#byBody.has(bodyHash)) continue
      wanted.set(bodyHash, base64)
    }
    for (const part of inChunks([...wanted], KEYS_PER_CALL)) {
      const hashes = part.map(([, base64]) => base64)
      const orders = await attempt(
        'orders.findByBodyHashes',
        async () => (await repository.findByBodyHashes?.(hashes)) ?? [],
      )
      for (const [hex] of part) this.#byBody.set(hex, [])
      for (const order of orders) {
        this.#keep(this.#byBody, readBodyHash(order.bodyBase64Hash), order)
      }
    }
  }

  async #loadComments(hints: readonly OrderHint[]): Promise<void> {
    const { repository } = this.#options
    const wanted = new Set<string>()
    for (const { comment } of hints) {
      if (isReference(comment) && !this.#byComment.has(comment)) wanted.add(comment)
    }
    if (repository.findByReferences === undefined) {
      await this.#findEach([...wanted])
      return
    }
    for (const references of inChunks([...wanted], KEYS_PER_CALL)) {
      const orders = await attempt(
        'orders.findByReferences',
        async () => (await repository.findByReferences?.(references)) ?? [],
      )
      for (const reference of references) this.#byComment.set(reference, [])
      for (const order of orders) this.#keep(this.#byComment, order.reference, order)
    }
  }

  /** Looks up the newest references first: older ones had their turn in an earlier run. */
  async #findEach(references: readonly string[]): Promise<void> {
    const { repository, listed } = this.#options
    const chosen = references
      .toReversed()
      .filter((reference) => !listed.byComment.has(reference))
      .slice(0, Math.floor(this.#rowsLeft / ROWS_PER_CALL))
    this.#rowsLeft -= chosen.length * ROWS_PER_CALL
    for (const reference of chosen) {
      const key = { reference, merchant: '' }
      const order = await attempt('orders.find', () => repository.find(key))
      this.#byComment.set(reference, [])
      if (order !== null) this.#keep(this.#byComment, reference, order)
    }
  }

  /** Caches an order under a key that was asked for. */
  #keep(cache: Map<string, NamedOrder[]>, key: string | undefined, order: Order): void {
    cache.get(key ?? '')?.push({ order, watched: this.#watch(order) })
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

function isReference(comment: string | undefined): comment is string {
  if (comment === undefined || comment === '') return false
  return comment.length <= LONGEST_REFERENCE && !comment.includes('\u0000')
}

function isPaidBy(
  { txHash: paidBy, traceId: paidTrace }: Payment,
  { txHash, traceId }: HintedTransaction,
): boolean {
  const names = [paidBy, canonicalTransactionHash(paidTrace)]
  return [txHash, traceId].some(
    (name = '') => name !== '' && names.includes(canonicalTransactionHash(name)),
  )
}
