import { attempt } from '../orders/checked-repository.js'
import type { Order, Payment } from '../orders/order.js'
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

/**
 * Orders that are looked up because a message names them: completed, cancelled, or not among the listed open orders.
 * Look-ups are batched and cached for one run.
 */
export interface NamedOrders {
  /**
   * Reads the orders that hints name, with at most one call for each 1000 body hashes and each 1000 comments.
   * @param rows how many transactions the hints are from; bounds the calls of a repository without `findByReferences`
   */
  load(hints: readonly OrderHint[], rows: number): Promise<void>
  /** Returns the loaded orders that a hint names. Orders that can still be completed are listed apart. */
  find(hint: OrderHint): { open: NamedBy; closed: NamedBy }
  /** Returns whether a loaded hint names an order, and the transaction is not the payment that completed it. */
  isPayable(hint: OrderHint, transaction: HintedTransaction): boolean
  /** Returns the orders of a loaded hint that the transaction has completed. */
  completedBy(hint: OrderHint, transaction: HintedTransaction): WatchedOrder[]
}

/** Orders by the field that names them. */
interface NamedBy {
  byBody: readonly WatchedOrder[]
  byComment: readonly WatchedOrder[]
}

/** A look-up of named orders. */
export interface NamedOrdersOptions<O extends Order> extends MatchRules<O> {
  repository: OrderRepository<O>
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

/** Creates the look-up of one run. Without the repository's batch methods it finds less. */
export function createNamedOrders<O extends Order>(options: NamedOrdersOptions<O>): NamedOrders {
  const lookUp: LookUp<O> = {
    ...options,
    byBody: new Map(),
    byComment: new Map(),
    rowsLeft: ROWS_PER_CALL - 1,
  }
  const { byBody, byComment } = lookUp
  const named = ({ bodyHash, comment }: OrderHint) => ({
    body: (bodyHash === undefined ? undefined : byBody.get(bodyHash)) ?? [],
    comment: (comment === undefined ? undefined : byComment.get(comment)) ?? [],
  })

  return {
    async load(hints, rows) {
      for (const cache of [byBody, byComment]) if (cache.size > MAX_CACHED) cache.clear()
      await loadBodies(lookUp, hints)
      await loadComments(lookUp, hints, rows)
    },
    find(hint) {
      const { body, comment } = named(hint)
      return {
        open: { byBody: select(body, true), byComment: select(comment, true) },
        closed: { byBody: select(body, false), byComment: select(comment, false) },
      }
    },
    isPayable(hint, transaction) {
      const { body, comment } = named(hint)
      const orders = [...body, ...comment].flatMap(({ order, watched }) =>
        watched === undefined ? [] : order,
      )
      if (orders.some(({ payment }) => payment && isPaidBy(payment, transaction))) return false
      // Without its payment, any transaction may have completed a completed order.
      return orders.some(({ status, payment }) => status !== 'completed' || payment)
    },
    completedBy(hint, transaction) {
      const { body, comment } = named(hint)
      return [...body, ...comment].flatMap(({ order: { payment }, watched }) =>
        watched !== undefined && payment && isPaidBy(payment, transaction) ? watched : [],
      )
    },
  }
}

/** The state of a look-up. The caches contain missing orders too, as empty lists. */
interface LookUp<O extends Order> extends NamedOrdersOptions<O> {
  /** By lower-case hex. */
  byBody: Map<string, NamedOrder[]>
  byComment: Map<string, NamedOrder[]>
  /** Rows without a call of `find`. The first row of a run may cause one. */
  rowsLeft: number
}

async function loadBodies<O extends Order>(
  lookUp: LookUp<O>,
  hints: readonly OrderHint[],
): Promise<void> {
  const { repository, matchBy, byBody } = lookUp
  if (repository.findByBodyHashes === undefined || !matchBy.includes('body')) return
  const wanted = new Map<string, string>()
  for (const { bodyHash } of hints) {
    const base64 = toBase64Hash(bodyHash)
    if (bodyHash === undefined || base64 === undefined || byBody.has(bodyHash)) continue
    wanted.set(bodyHash, base64)
  }
  for (const part of inChunks([...wanted], KEYS_PER_CALL)) {
    const hashes = part.map(([, base64]) => base64)
    const orders = await attempt(
      'orders.findByBodyHashes',
      async () => (await repository.findByBodyHashes?.(hashes)) ?? [],
    )
    for (const [hex] of part) byBody.set(hex, [])
    for (const order of orders) keep(lookUp, byBody, readBodyHash(order.bodyBase64Hash), order)
  }
}

async function loadComments<O extends Order>(
  lookUp: LookUp<O>,
  hints: readonly OrderHint[],
  rows: number,
): Promise<void> {
  const { repository, matchBy, isCommentReference, byComment } = lookUp
  if (!isCommentReference || !matchBy.includes('comment')) return
  const wanted = new Set<string>()
  for (const { comment } of hints) {
    if (isReference(comment) && !byComment.has(comment)) wanted.add(comment)
  }
  if (repository.findByReferences === undefined) {
    await findEach(lookUp, [...wanted], rows)
    return
  }
  for (const references of inChunks([...wanted], KEYS_PER_CALL)) {
    const orders = await attempt(
      'orders.findByReferences',
      async () => (await repository.findByReferences?.(references)) ?? [],
    )
    for (const reference of references) byComment.set(reference, [])
    for (const order of orders) keep(lookUp, byComment, order.reference, order)
  }
}

/** Looks up the newest references first: older ones had their turn in an earlier run. */
async function findEach<O extends Order>(
  lookUp: LookUp<O>,
  references: readonly string[],
  rows: number,
): Promise<void> {
  const { repository, listed, byComment } = lookUp
  lookUp.rowsLeft += rows
  const chosen = references
    .toReversed()
    .filter((reference) => !listed.byComment.has(reference))
    .slice(0, Math.floor(lookUp.rowsLeft / ROWS_PER_CALL))
  lookUp.rowsLeft -= chosen.length * ROWS_PER_CALL
  for (const reference of chosen) {
    const key = { reference, merchant: '' }
    const order = await attempt('orders.find', () => repository.find(key))
    byComment.set(reference, [])
    if (order !== null) keep(lookUp, byComment, reference, order)
  }
}

/** Caches an order under a key that was asked for. */
function keep<O extends Order>(
  lookUp: LookUp<O>,
  cache: Map<string, NamedOrder[]>,
  key: string | undefined,
  order: O,
): void {
  cache.get(key ?? '')?.push({ order, watched: watch(lookUp, order) })
}

/** An order that the rules cannot use must not affect the others. */
function watch<O extends Order>(lookUp: LookUp<O>, order: O): WatchedOrder | undefined {
  try {
    return watchOrder(order, lookUp)
  } catch {
    return undefined
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

function isOpen({ status }: Order): boolean {
  return status === 'pending' || status === 'failed' || status === 'expired'
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
