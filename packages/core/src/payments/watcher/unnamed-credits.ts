import { isTransfer, payerMessage, type Credit } from '../ledger/credit.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import type { OpenOrders, WatchedKey, WatchedOrder } from './open-orders.js'
import type { Run } from './run-state.js'
import { MIN_UNNAMED_NANOCOINS } from './wallet-lists.js'

/** A jetton transfer without an order must be at least this part of the smallest open order in that jetton. */
const MIN_PART = 100n
/** An order may be stored some time after its payment. */
const MIN_AGE_SECONDS = 60

/** A credit that pays no order, and the orders that it fits alike. */
export interface UnnamedCredit {
  credit: Credit
  orders: readonly WatchedKey[]
}

/**
 * Returns true for a credit without an order that an operator should see: a plain transfer of a stranger. Small credits,
 * credits of jettons without an open order, and credits of the last minute are left out.
 * @param named orders that the credit names, if there are several
 */
export function isNotable(
  credit: Credit,
  { wallets, orders, head }: Run,
  named: readonly Pick<WatchedOrder, 'offers'>[] = [],
): boolean {
  const { asset, rawAmount, utime } = credit
  // A merchant moves money from one wallet to another.
  if (wallets.has(payerMessage(credit).sender) || utime + MIN_AGE_SECONDS > head) return false
  if (asset === NATIVE_ASSET) {
    return rawAmount >= MIN_UNNAMED_NANOCOINS && isTransfer(credit)
  }
  const offers = named.flatMap((order) => order.offers.filter((offer) => offer.asset === asset))
  // As a mismatch is, for a jetton that names only one order, which does not ask for it.
  if (named.length > 0 && offers.length === 0) return true
  const amounts = [orders.smallest.get(asset), ...offers.map((offer) => offer.rawAmount)]
  return amounts.some((amount) => amount !== undefined && rawAmount * MIN_PART >= amount)
}

/**
 * Returns the merchant of the orders that a credit fits alike, or else of the open orders that are paid to its wallet; `''` when
 * there are several.
 */
export function merchantOf({ credit, orders }: UnnamedCredit, { all }: OpenOrders): string {
  const { wallet } = credit
  const candidates =
    orders.length > 0 ? orders : all.filter(({ recipients }) => recipients.includes(wallet))
  const merchants = new Set(candidates.map(({ merchant }) => merchant))
  const [only = ''] = merchants
  return merchants.size === 1 ? only : ''
}
