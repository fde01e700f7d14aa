import { parseOptions } from '../shared/options.js'
import { ORDER } from './checked-repository.js'
import type { Order, OrderKey, Payment, PaymentFailure } from './order.js'
import type { OrderRepository, Transition } from './repository.js'
import { canonicalTransactionHash } from './transaction-hash.js'

/** Orders in memory, with the changes that a demo or a test makes to them. */
export interface MemoryOrderRepository<O extends Order = Order> extends OrderRepository<O> {
  /**
   * Adds an order, or replaces the one with the same key.
   * @throws {ConfigurationError} when a field is invalid.
   */
  add(order: O): void
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

/** Creates an {@link OrderRepository} for development and tests. Its orders are lost when the process ends. */
export function memoryOrderRepository<O extends Order = Order>(
  initial: readonly O[] = [],
): MemoryOrderRepository<O> {
  const orders = new Map<string, Stored<O>>()
  const add = (order: O): void => {
    parseOptions(ORDER, order, { path: 'order' })
    orders.set(idOf(order), { ...order, createdAt: order.createdAt ?? new Date() })
  }
  const apply = (key: OrderKey, decide: (order: Order) => Outcome): Transition => {
    const order = orders.get(idOf(key))
    if (order === undefined) return 'not-found'
    const { transition, changes } = decide(order)
    if (changes !== undefined) orders.set(idOf(order), { ...order, ...changes })
    return transition
  }
  const select = (isMeant: (order: Stored<O>) => boolean): Stored<O>[] =>
    [...orders.values()].filter(isMeant)
  initial.forEach(add)

  return {
    add,
    cancel: (key) => void apply(key, cancel),
    expire: (key) => void apply(key, expire),
    all: () => [...orders.values()],
    find: async (key) => copy(orders.get(idOf(key))),
    async findByBodyHashes(hashes) {
      const wanted = new Set(hashes.map(canonicalTransactionHash))
      return select(({ bodyBase64Hash }) =>
        wanted.has(canonicalTransactionHash(bodyBase64Hash ?? '')),
      )
    },
    async findByReferences(references) {
      const wanted = new Set(references)
      return select(({ reference }) => wanted.has(reference))
    },
    complete: async (key, payment) => apply(key, (order) => complete(order, payment)),
    fail: async (key, failure) => apply(key, (order) => fail(order, failure)),
    async *listOpen(query) {
      yield* oldest(select(isOpen), query)
    },
  }
}

function copy<O extends object>(order: O | undefined): O | null {
  return order === undefined ? null : { ...order }
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

function idOf({ reference, merchant = '' }: OrderKey): string {
  return JSON.stringify([merchant, reference])
}

function isOpen({ status }: Order): boolean {
  return status === 'pending' || status === 'failed' || status === 'expired'
}
