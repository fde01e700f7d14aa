import type {
  Logger,
  Order,
  OrderListQuery,
  OrderPage,
  OrderRepository,
  OrderStatus,
} from '@tonplug/core'
import type { OrderList, OrderRow } from '../api.js'
import { DeskRequestError } from '../responses.js'
import { parseAmount, unitsOf, type TypedAmount } from '../words/amounts.js'
import { coinsOf, type Coin } from '../words/coins.js'
import type { Vocabulary } from '../words/sentences.js'
import { STATES } from '../words/states.js'

const PAGE = 50
/** With a filter by amount or coin, at most 1000 orders are read. */
const MAX_PAGES = 20
const MAX_SEARCH = 1024

const STATUSES = {
  pending: STATES.waiting,
  failed: STATES.not_sent,
  expired: STATES.expired,
  cancelled: STATES.cancelled,
  completed: STATES.paid,
} as const satisfies Record<OrderStatus, unknown>

/** Sources of lists of orders. */
export interface OrderSources {
  orders: Pick<OrderRepository, 'find' | 'findByReferences' | 'list' | 'search'>
  words: Vocabulary
}

/**
 * Returns orders, newest first; for a search, orders with a reference or a named field that begins with it.
 * @throws {DeskRequestError} for an invalid parameter.
 */
export async function listOrders(
  { orders, words }: OrderSources,
  parameters: URLSearchParams,
): Promise<OrderList> {
  const search = (parameters.get('search') ?? '').trim()
  const coins = [...new Set(words.coins.known.flatMap(({ ticker }) => ticker ?? []))]
  const facts = { canList: orders.list !== undefined, coins }
  if (search.length > MAX_SEARCH) {
    throw invalid(`search must have at most ${MAX_SEARCH} characters.`)
  }
  const page = search === '' ? await listPage({ orders, words }, parameters) : undefined
  const found = page?.orders ?? (await searchOrders(orders, search, PAGE))
  const rows = found.map((order) => toOrderRow(order, words))
  return { ...facts, orders: rows, ...(page?.next !== undefined && { next: page.next }) }
}

/** Orders that are listed beside the payments of a search. */
const BESIDE = 5

/**
 * Returns the orders that a search of payments also finds; none behind its first page and in a group. A repository that
 * fails does not hide the payments.
 */
export async function findOrders(
  { orders, words, logger }: OrderSources & { logger: Logger },
  parameters: URLSearchParams,
): Promise<{ orders: OrderRow[]; haveOrdersFailed: boolean }> {
  const search = (parameters.get('search') ?? '').trim()
  const isFirst = !parameters.has('before') && (parameters.get('group') ?? 'all') === 'all'
  if (!isFirst || search === '' || search.length > MAX_SEARCH) {
    return { orders: [], haveOrdersFailed: false }
  }
  try {
    const found = await searchOrders(orders, search, BESIDE)
    return { orders: found.map((order) => toOrderRow(order, words)), haveOrdersFailed: false }
  } catch (error) {
    logger.warn('desk search of orders failed', { error })
    return { orders: [], haveOrdersFailed: true }
  }
}

/** Finds a reference exactly where the repository has no search. */
async function searchOrders(
  orders: OrderSources['orders'],
  text: string,
  limit: number,
): Promise<Order[]> {
  if (orders.search !== undefined) return orders.search({ text, limit })
  if (orders.findByReferences !== undefined) return orders.findByReferences([text])
  const order = await orders.find({ reference: text, merchant: '' })
  return order === null ? [] : [order]
}

async function listPage(
  { orders, words }: OrderSources,
  parameters: URLSearchParams,
): Promise<OrderPage> {
  if (orders.list === undefined) return { orders: [] }
  const query = {
    status: statusOf(parameters.get('status')),
    createdAfter: dateOf(parameters, 'from'),
    createdBefore: dateOf(parameters, 'before'),
    limit: PAGE,
  }
  const fits = filterOf(parameters, words)
  const found: Order[] = []
  let after = parameters.get('after') ?? undefined
  for (let count = 0; count < MAX_PAGES; count++) {
    const page: OrderPage = await orders.list({ ...query, after } satisfies OrderListQuery)
    found.push(...page.orders.filter(fits))
    after = page.next
    if (after === undefined || found.length >= PAGE) break
  }
  return { orders: found, next: after }
}

function statusOf(text: string | null): OrderStatus | undefined {
  if (text === null || text === '') return undefined
  // The check makes it one.
  if (Object.hasOwn(STATUSES, text)) return text as OrderStatus
  throw invalid(`status must be one of ${Object.keys(STATUSES).join(', ')}.`)
}

function dateOf(parameters: URLSearchParams, name: string): Date | undefined {
  const text = parameters.get(name) ?? ''
  if (text === '') return undefined
  const date = new Date(text)
  if (!Number.isNaN(date.getTime())) return date
  throw invalid(`${name} must be a time in ISO 8601.`)
}

/** Returns the filter by amount and coin. */
function filterOf(parameters: URLSearchParams, words: Vocabulary): (order: Order) => boolean {
  const typed = parameters.get('amount') ?? ''
  const amount = typed === '' ? undefined : parseAmount(typed)
  if (typed !== '' && amount === undefined) throw invalid('The amount must be a number, as 6.50.')
  const ticker = (amount?.ticker ?? parameters.get('coin') ?? '').toLowerCase()
  if (amount === undefined && ticker === '') return () => true
  return (order) =>
    pricesOf(order, words).some(
      ({ rawAmount, coin }) =>
        (ticker === '' || coin.ticker?.toLowerCase() === ticker) &&
        isEqual(amount, rawAmount, coin),
    )
}

function isEqual(amount: TypedAmount | undefined, rawAmount: bigint, coin: Coin): boolean {
  return amount === undefined || unitsOf(amount, coin) === rawAmount
}

/** Returns the ways to pay an order. */
function pricesOf(order: Order, { coins }: Vocabulary): { rawAmount: bigint; coin: Coin }[] {
  const { offers, rawAmount = 0n, asset = '' } = order
  const prices = offers ?? [{ rawAmount, asset, decimals: undefined }]
  return prices.map((price) => ({
    rawAmount: price.rawAmount,
    coin: coins.of(price.asset, { decimals: price.decimals }),
  }))
}

function toOrderRow(order: Order, words: Vocabulary): OrderRow {
  const { reference, merchant = '', status, createdAt } = order
  const prices = pricesOf(order, words).map(({ rawAmount, coin }) => coinsOf(`${rawAmount}`, coin))
  const { name, tone } = STATUSES[status]
  return {
    reference,
    merchant,
    state: { name, tone },
    price: prices.join(' or '),
    createdAtMs: createdAt?.getTime(),
  }
}

function invalid(message: string): DeskRequestError {
  return new DeskRequestError(400, 'INVALID', message)
}
