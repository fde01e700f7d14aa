import { canonicalAsset, isTonplugError } from '@tonplug/core'
import type { Offer, Order, OrderRepository } from '@tonplug/core'
import type { Operator } from '@tonplug/core/operator'
import type { OrderSuggestion, OrderSuggestions } from '../api.js'
import { DeskRequestError } from '../responses.js'
import { coinsOf } from '../words/coins.js'
import type { Vocabulary } from '../words/sentences.js'

const DAY_MS = 86_400_000
/** The orders created up to this long before the payment, the nearest ones first. */
const PERIODS_MS = [DAY_MS, 30 * DAY_MS]
/** Orders that are read of each period. */
const MAX_ORDERS = 1000
const MAX_SUGGESTIONS = 5

/** Sources of suggestions. */
export interface SuggestionSources {
  operator: Pick<Operator, 'list'>
  orders: Pick<OrderRepository, 'listOpen'>
  words: Vocabulary
}

/**
 * Returns the open orders that ask for the amount of a payment, nearest in time first.
 * @throws {DeskRequestError} for an unknown report.
 */
export async function suggestOrders(
  { operator, orders, words }: SuggestionSources,
  parameters: URLSearchParams,
): Promise<OrderSuggestions> {
  const reportId = parameters.get('reportId') ?? ''
  const [payment] = await operator.list({ reportId, limit: 1 })
  const transfer = payment?.transfer
  if (payment === undefined || transfer === undefined) {
    throw new DeskRequestError(404, 'NOT_FOUND', 'There is no payment with this id.')
  }
  const { merchant } = payment
  const paidAtMs = Date.parse(transfer.date) || payment.receivedAtMs
  const wanted = { merchant, asset: transfer.asset, rawAmount: transfer.rawAmount, paidAtMs }
  const found = await findOrders(orders, wanted)
  const suggestions = found.map(({ order, offer }): OrderSuggestion => ({
    reference: order.reference,
    merchant: order.merchant ?? '',
    amount: coinsOf(`${offer.rawAmount}`, words.coins.of(offer.asset, offer)),
    createdAtMs: order.createdAt?.getTime() ?? 0,
  }))
  return { orders: suggestions }
}

interface Wanted {
  merchant: string
  asset: string
  rawAmount: string
  paidAtMs: number
}

interface Fitting {
  order: Order
  offer: Offer
}

async function findOrders(
  orders: Pick<OrderRepository, 'listOpen'>,
  wanted: Wanted,
): Promise<Fitting[]> {
  for (const periodMs of PERIODS_MS) {
    const found = await findSince(orders, wanted, new Date(wanted.paidAtMs - periodMs))
    if (found.length > 0) return found
  }
  return []
}

async function findSince(
  orders: Pick<OrderRepository, 'listOpen'>,
  wanted: Wanted,
  createdAfter: Date,
): Promise<Fitting[]> {
  const found: Fitting[] = []
  for await (const order of orders.listOpen({ createdAfter, limit: MAX_ORDERS })) {
    const offer = offerFor(order, wanted)
    if (offer !== undefined) found.push({ order, offer })
  }
  const distance = ({ order }: Fitting): number =>
    Math.abs((order.createdAt?.getTime() ?? 0) - wanted.paidAtMs)
  return found.toSorted((one, other) => distance(one) - distance(other)).slice(0, MAX_SUGGESTIONS)
}

/** Money without an order in a wallet of several merchants can be assigned to any of them. */
function offerFor(order: Order, { merchant, asset, rawAmount }: Wanted): Offer | undefined {
  if (merchant !== '' && (order.merchant ?? '') !== merchant) return undefined
  const { rawAmount: units, asset: single } = order
  const offers =
    order.offers ??
    (units === undefined || single === undefined ? [] : [{ rawAmount: units, asset: single }])
  return offers.find(
    (offer) => `${offer.rawAmount}` === rawAmount && isSameAsset(offer.asset, asset),
  )
}

function isSameAsset(one: string, other: string): boolean {
  if (one === other) return true
  try {
    return canonicalAsset(one) === canonicalAsset(other)
  } catch (error) {
    if (isTonplugError(error)) return false
    throw error
  }
}
