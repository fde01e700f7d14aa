import { canonicalAddress } from '../address/address.js'
import { canonicalAsset } from '../orders/asset.js'
import { checkOrder } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'

/** What a payment is told from others by. */
export type MatchKey = 'body' | 'comment' | 'amount'

/** What a reconciler keeps of an order while it looks for its payment. */
export interface WatchedOrder {
  reference: string
  /** Who may be paid, in canonical spelling; never empty. */
  recipients: readonly string[]
  /** Lower-case hex. */
  bodyHash: string | undefined
  comment: string | undefined
  /** Recipient, asset and amount, as {@link amountKey} writes them; empty unless amounts tell payments. */
  amounts: readonly string[]
  createdMs: number | undefined
}

/** How orders are watched. */
export interface Watching<O extends Order> {
  matchBy: readonly MatchKey[]
  commentOf: (order: O) => string | undefined
  /** The receiver's. */
  recipients: readonly string[] | undefined
}

/** Open orders by what tells their payments. */
export interface OpenOrders {
  all: readonly WatchedOrder[]
  byBody: ReadonlyMap<string, readonly WatchedOrder[]>
  byComment: ReadonlyMap<string, readonly WatchedOrder[]>
  byAmount: ReadonlyMap<string, readonly WatchedOrder[]>
  recipients: ReadonlySet<string>
  oldestMs: number | undefined
}

/** Of a cell without anything in it: a transfer without a comment. It tells no payment from another. */
const EMPTY_BODY = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7'

/** The hash of a message's body, unless it tells nothing. @returns lower-case hex */
export function readBodyHash(hash: string | null | undefined): string | undefined {
  if (hash === null || hash === undefined || hash === '') return undefined
  const canonical = canonicalTransactionHash(hash)
  return canonical === EMPTY_BODY ? undefined : canonical
}

/** What a payment is told by where amounts tell it. */
export function amountKey(credit: { recipient: string; asset: string; rawAmount: bigint }): string {
  return `${credit.recipient} ${credit.asset} ${credit.rawAmount}`
}

/**
 * What to look for on behalf of an order; `undefined` when nobody says who is to be paid.
 * @throws {RepositoryError} when the order is not one that the rules can judge.
 */
export function watchOrder<O extends Order>(
  order: O,
  { matchBy, commentOf, recipients: ours = [] }: Watching<O>,
): WatchedOrder | undefined {
  const { reference, recipient, rawAmount, createdAt } = order
  checkOrder(order, reference)
  const recipients = typeof recipient === 'string' ? [canonicalAddress(recipient)] : ours
  if (recipients.length === 0) return undefined
  const asset = canonicalAsset(order.asset)
  const comment = matchBy.includes('comment') ? commentOf(order) : undefined
  return {
    reference,
    recipients,
    bodyHash: matchBy.includes('body') ? readBodyHash(order.bodyBase64Hash) : undefined,
    comment: comment === '' ? undefined : comment,
    amounts: matchBy.includes('amount')
      ? recipients.map((one) => amountKey({ recipient: one, asset, rawAmount }))
      : [],
    createdMs: timeOf(createdAt),
  }
}

/** @returns milliseconds since the Unix epoch; `undefined` for a date that is none. */
export function timeOf(date: Date | null | undefined): number | undefined {
  const ms = date?.getTime()
  return ms === undefined || Number.isNaN(ms) ? undefined : ms
}

/** Puts watched orders in order. */
export function indexOrders(all: readonly WatchedOrder[]): OpenOrders {
  const byBody = new Map<string, WatchedOrder[]>()
  const byComment = new Map<string, WatchedOrder[]>()
  const byAmount = new Map<string, WatchedOrder[]>()
  const recipients = new Set<string>()
  let oldestMs: number | undefined
  for (const order of all) {
    if (order.bodyHash !== undefined) add(byBody, order.bodyHash, order)
    if (order.comment !== undefined) add(byComment, order.comment, order)
    for (const key of order.amounts) add(byAmount, key, order)
    for (const recipient of order.recipients) recipients.add(recipient)
    const { createdMs } = order
    if (createdMs !== undefined) oldestMs = Math.min(oldestMs ?? createdMs, createdMs)
  }
  return { all, byBody, byComment, byAmount, recipients, oldestMs }
}

function add(index: Map<string, WatchedOrder[]>, key: string, order: WatchedOrder): void {
  const orders = index.get(key)
  if (orders === undefined) index.set(key, [order])
  else orders.push(order)
}
