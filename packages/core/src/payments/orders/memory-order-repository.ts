import { ConfigurationError } from '../../shared/configuration-error.js'
import { parseOptions } from '../../shared/options.js'
import { withJson } from '../../shared/with-json.js'
import { ORDER } from './checked-repository.js'
import { orderToJson } from './order-json.js'
import {
  isOpen,
  orderId,
  type Order,
  type OrderKey,
  type Payment,
  type PaymentFailure,
} from './order.js'
import type { OrderListQuery, OrderPage, OrderRepository, Transition } from './repository.js'
import { canonicalTransactionHash } from './transaction-hash.js'

/** Orders in memory, with the changes that a demo or a test makes to them. */
export interface MemoryOrderRepository<O extends Order = Order> extends OrderRepository<O> {
  /**
   * Adds an order. Adding an equal one again changes nothing.
   * @throws {ConfigurationError} when a field is invalid, and when a different order has this key.
   */
  add(order: O): void
  /**
   * Replaces the order with the same key, for example after its price was corrected.
   * @throws {ConfigurationError} when a field is invalid, and when there is no such order.
   */
  replace(order: O): void
  /** Cancels an order; a completed one stays completed. */
  cancel(key: OrderKey): void
  /** Expires a pending or failed order; any other stays as it is. */
  expire(key: OrderKey): void
  all(): O[]
}

type Stored<O extends Order> = O & { createdAt: Date }

/** Result of a requested transition, and what it changes. */
interface Outcome {
  transition: Transition
  changes?: Partial<Pick<Order, 'status' | 'payment' | 'failure'>>
}

/** Options of {@link memoryOrderRepository}. */
export interface MemoryOrderRepositoryOptions<O extends Order = Order> {
  /** Fields that operators can search, beside the reference: for example `['email']`. @default none */
  search?: readonly (keyof O & string)[] | undefined
}

/** Creates an {@link OrderRepository} for development and tests. Its orders are lost when the process ends. */
export function memoryOrderRepository<O extends Order = Order>(
  initial: readonly O[] = [],
  { search: fields = [] }: MemoryOrderRepositoryOptions<O> = {},
): MemoryOrderRepository<O> {
  const orders = new OrderTable<O>()
  const add = (order: O): void => {
    check(order)
    const former = orders.get(order)
    const added = toStored(order, former?.createdAt)
    if (former === undefined) orders.add(added)
    else if (!isSameOrder(former, added)) throw keyProblem(order, 'is the key of another order')
  }
  const replace = (order: O): void => {
    check(order)
    const former = orders.get(order)
    if (former === undefined) throw keyProblem(order, 'is unknown')
    orders.add(toStored(order, former.createdAt))
  }
  const apply = (key: OrderKey, decide: (order: Order) => Outcome): Transition => {
    const order = orders.get(key)
    if (order === undefined) return 'not-found'
    const { transition, changes } = decide(order)
    if (changes !== undefined) orders.put({ ...order, ...changes })
    return transition
  }
  initial.forEach(add)

  return {
    add,
    replace,
    cancel: (key) => void apply(key, cancel),
    expire: (key) => void apply(key, expire),
    all: () => orders.all(),
    find: async (key) => {
      const order = orders.get(key)
      return order === undefined ? null : withJson({ ...order })
    },
    findByBodyHashes: async (hashes) => orders.withBodyHashes(hashes.map(canonicalTransactionHash)),
    findByReferences: async (references) => orders.withReferences(references),
    list: async (query) => newestPage(orders.all(), query),
    search: async ({ text, limit }) =>
      orders
        .all()
        .filter((order) => order.reference.startsWith(text) || hasField(order, fields, text))
        .toSorted((one, other) => (one.reference < other.reference ? -1 : 1))
        .slice(0, limit),
    complete: async (key, payment) => apply(key, (order) => complete(order, payment)),
    fail: async (key, failure) => apply(key, (order) => fail(order, failure)),
    async *listOpen(query) {
      yield* oldest(orders.open(), query)
    },
  }
}

/** Returns true when a field begins with a string, whatever the case is. */
function hasField(order: object, fields: readonly string[], text: string): boolean {
  return fields.some((name) => {
    const value: unknown = Reflect.get(order, name)
    const isText = typeof value === 'string' || typeof value === 'number'
    return isText && String(value).toLowerCase().startsWith(text.toLowerCase())
  })
}

/** @throws {ConfigurationError} when a field is invalid. */
function check(order: unknown): void {
  parseOptions(ORDER(), order, { path: 'order' })
}

function toStored<O extends Order>(order: O, createdAt = new Date()): Stored<O> {
  const offers = order.offers?.map((offer) => withJson({ ...offer }))
  return { ...order, ...(offers && { offers }), createdAt: order.createdAt ?? createdAt }
}

function isSameOrder(one: Order, other: Order): boolean {
  return textOf(one) === textOf(other)
}

function textOf(order: Order): string {
  return JSON.stringify(Object.entries(orderToJson(order)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function keyProblem({ reference, merchant }: OrderKey, what: string): ConfigurationError {
  const of = merchant === undefined ? '' : ` of the merchant ${JSON.stringify(merchant)}`
  const problem = `${JSON.stringify(reference)}${of} ${what}. add() stores new orders, replace() changes one`
  return new ConfigurationError({ option: 'order.reference', problem })
}

/** The orders, with an index for each look-up. */
class OrderTable<O extends Order> {
  readonly #orders = new Map<string, Stored<O>>()
  readonly #open = new Set<string>()
  readonly #byReference = new Map<string, Set<string>>()
  /** Ids by the hash of the message's body. */
  readonly #byBodyHash = new Map<string, Set<string>>()

  add(order: Stored<O>): void {
    const id = orderId(order)
    this.#byBodyHash.get(bodyHashOf(this.#orders.get(id)))?.delete(id)
    addTo(this.#byReference, order.reference, id)
    addTo(this.#byBodyHash, bodyHashOf(order), id)
    this.put(order)
  }

  /** Replaces an order whose key and body hash are the same. */
  put(order: Stored<O>): void {
    const id = orderId(order)
    this.#orders.set(id, withJson(order))
    if (isOpen(order)) this.#open.add(id)
    else this.#open.delete(id)
  }

  get(key: OrderKey): Stored<O> | undefined {
    return this.#orders.get(orderId(key))
  }

  all(): Stored<O>[] {
    return [...this.#orders.values()]
  }

  open(): Stored<O>[] {
    return this.#select(this.#open)
  }

  withReferences(references: readonly string[]): Stored<O>[] {
    return this.#select(idsOf(this.#byReference, references))
  }

  withBodyHashes(hashes: readonly string[]): Stored<O>[] {
    return this.#select(idsOf(this.#byBodyHash, hashes))
  }

  #select(ids: Iterable<string>): Stored<O>[] {
    return [...ids].flatMap((id) => this.#orders.get(id) ?? [])
  }
}

function idsOf(index: ReadonlyMap<string, ReadonlySet<string>>, keys: readonly string[]): string[] {
  return [...new Set(keys)].flatMap((key) => [...(index.get(key) ?? [])])
}

function addTo(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key)
  if (ids === undefined) index.set(key, new Set([id]))
  else ids.add(id)
}

function bodyHashOf(order: Order | undefined): string {
  return canonicalTransactionHash(order?.bodyBase64Hash ?? '')
}

function oldest<O extends Order>(
  orders: readonly Stored<O>[],
  { createdAfter, limit }: Parameters<OrderRepository['listOpen']>[0],
): Stored<O>[] {
  return orders
    .filter(({ createdAt }) => createdAfter === undefined || createdAt >= createdAfter)
    .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    .slice(0, limit)
}

function newestPage<O extends Order>(
  orders: readonly Stored<O>[],
  { status, createdAfter, createdBefore, after, limit }: OrderListQuery,
): OrderPage<O> {
  const sorted = orders
    .filter((order) => (status ?? order.status) === order.status)
    .filter(({ createdAt }) => createdAfter === undefined || createdAt >= createdAfter)
    .filter(({ createdAt }) => createdBefore === undefined || createdAt < createdBefore)
    .toSorted((one, other) => (placeOf(one) > placeOf(other) ? -1 : 1))
    .filter((order) => after === undefined || placeOf(order) < after)
  const page = sorted.slice(0, limit)
  const last = page.at(-1)
  return { orders: page, ...(last && sorted.length > limit && { next: placeOf(last) }) }
}

/** Returns a string that sorts by the creation time. */
function placeOf(order: Stored<Order>): string {
  const ms = Math.max(0, order.createdAt.getTime())
  return `${`${ms}`.padStart(16, '0')} ${orderId(order)}`
}

function cancel({ status }: Order): Outcome {
  if (status === 'completed') return { transition: 'conflict' }
  return { transition: 'applied', changes: { status: 'cancelled' } }
}

function expire({ status }: Order): Outcome {
  if (status !== 'pending' && status !== 'failed') return { transition: 'conflict' }
  return { transition: 'applied', changes: { status: 'expired' } }
}

function complete(order: Order, payment: Payment): Outcome {
  if (isOpen(order)) return { transition: 'applied', changes: { status: 'completed', payment } }
  const isSame = order.status === 'completed' && order.payment?.txHash === payment.txHash
  return { transition: isSame ? 'already-applied' : 'conflict' }
}

function fail(order: Order, failure: PaymentFailure): Outcome {
  if (!isOpen(order)) return { transition: 'conflict' }
  if (order.failure?.txHash === failure.txHash) return { transition: 'already-applied' }
  const status = order.status === 'pending' ? 'failed' : order.status
  return { transition: 'applied', changes: { failure, status } }
}
