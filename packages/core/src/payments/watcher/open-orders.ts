import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { checkOrder } from '../orders/checked-repository.js'
import { offersOf } from '../orders/offers.js'
import { isOpen, type Order } from '../orders/order.js'
import type { ResolvedWatcherOptions } from './options.js'
import { timeOf } from '../orders/order-age.js'
import { isExactComment } from '../orders/order-key.js'
import { readBodyHash } from '../orders/body-hash.js'

/** The fields of a message that can name an order. */
export interface OrderHint {
  /** Lower-case hex. */
  bodyHash: string | undefined
  comment: string | undefined
}

/** Identifies an order among the orders of all merchants. */
export interface WatchedKey {
  reference: string
  merchant: string
}

/** The fields of an order that matching needs. */
export interface WatchedOrder extends WatchedKey {
  /** Canonical; never empty. */
  recipients: readonly string[]
  /** The accepted amounts. Assets are canonical. */
  offers: readonly { asset: string; rawAmount: bigint }[]
  /** Lower-case hex. */
  bodyHash: string | undefined
  comment: string | undefined
  /** Keys of {@link amountKey}; empty unless payments are matched by amount. */
  amounts: readonly string[]
  createdMs: number | undefined
  isOpen: boolean
}

/** Open orders by the fields that payments state. Orders of several merchants may share a key. */
export interface OpenOrders {
  all: readonly WatchedOrder[]
  byBody: ReadonlyMap<string, readonly WatchedOrder[]>
  byComment: ReadonlyMap<string, readonly WatchedOrder[]>
  byAmount: ReadonlyMap<string, readonly WatchedOrder[]>
  recipients: ReadonlySet<string>
  /** The smallest amount in each asset, in base units. */
  smallest: ReadonlyMap<string, bigint>
}

/** Returns the key of a payment where the amount assigns it to an order. */
export function amountKey(credit: { recipient: string; asset: string; rawAmount: bigint }): string {
  return `${credit.recipient} ${credit.asset} ${credit.rawAmount}`
}

/**
 * Returns the fields of an order that matching needs. `wallets` of Payments are for orders without a recipient; `undefined`
 * without either.
 * @throws {RepositoryError} when the rules cannot use the order.
 */
export function watchOrder(
  order: Order,
  { matchBy, commentOf, payments }: ResolvedWatcherOptions,
): WatchedOrder | undefined {
  const { reference, merchant = '', recipient, createdAt } = order
  const { wallets = [] } = payments.internals
  checkOrder(order)
  const recipients = typeof recipient === 'string' ? [canonicalAddress(recipient)] : wallets
  if (recipients.length === 0) return undefined
  const offers = offersOf(order).map(({ rawAmount, asset }) => ({
    rawAmount,
    asset: canonicalAsset(asset),
  }))
  const comment = matchBy.includes('comment') ? commentOf(order) : undefined
  return {
    reference,
    merchant,
    recipients,
    offers,
    bodyHash: matchBy.includes('body') ? readBodyHash(order.bodyBase64Hash) : undefined,
    comment: comment !== undefined && isExactComment(comment) ? comment : undefined,
    amounts: matchBy.includes('amount')
      ? recipients.flatMap((one) => offers.map((offer) => amountKey({ recipient: one, ...offer })))
      : [],
    createdMs: timeOf(createdAt),
    isOpen: isOpen(order),
  }
}

export function indexOrders(all: readonly WatchedOrder[]): OpenOrders {
  const byBody = new Map<string, WatchedOrder[]>()
  const byComment = new Map<string, WatchedOrder[]>()
  const byAmount = new Map<string, WatchedOrder[]>()
  const recipients = new Set<string>()
  const smallest = new Map<string, bigint>()
  for (const order of all) {
    if (order.bodyHash !== undefined) add(byBody, order.bodyHash, order)
    if (order.comment !== undefined) add(byComment, order.comment, order)
    for (const key of order.amounts) add(byAmount, key, order)
    for (const recipient of order.recipients) recipients.add(recipient)
    for (const { asset, rawAmount } of order.offers) {
      const least = smallest.get(asset)
      if (least === undefined || rawAmount < least) smallest.set(asset, rawAmount)
    }
  }
  return { all, byBody, byComment, byAmount, recipients, smallest }
}

function add<Value>(index: Map<string, Value[]>, key: string, value: Value): void {
  const values = index.get(key)
  if (values === undefined) index.set(key, [value])
  else values.push(value)
}

/** Returns the listed orders that a message names. */
export function ordersNamed(
  { byBody, byComment }: OpenOrders,
  { bodyHash = '', comment = '' }: OrderHint,
): WatchedOrder[] {
  // No order is listed under an empty key.
  return [...(byBody.get(bodyHash) ?? []), ...(byComment.get(comment) ?? [])]
}
