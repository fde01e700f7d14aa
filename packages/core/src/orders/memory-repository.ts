import type { Order } from './order.js'
import type { OrderRepository } from './repository.js'
import { canonicalTransactionHash } from './transaction-hash.js'

/** Orders in memory, with what a demo or a test does to them. */
export interface MemoryOrderRepository<O extends Order = Order> extends OrderRepository<O> {
  /** Adds an order, or takes the place of the one with the same reference. */
  add(order: O): void
  /** The shop cancels an order; a completed one stays completed. */
  cancel(reference: string): void
  /** The order's time is over; a completed or cancelled one stays as it is. */
  expire(reference: string): void
  all(): O[]
}

/** An {@link OrderRepository} for development and tests: it forgets everything when the process ends. */
export function memoryOrderRepository<O extends Order = Order>(
  initial: readonly O[] = [],
): MemoryOrderRepository<O> {
  const orders = new Map<string, O & { createdAt: Date }>()
  const failedBy = new Map<string, string>()
  const add = (order: O): void => {
    orders.set(order.reference, { ...order, createdAt: order.createdAt ?? new Date() })
  }
  const change = (reference: string, changes: Partial<Pick<Order, 'status' | 'payment'>>): void => {
    const order = orders.get(reference)
    if (order !== undefined) orders.set(reference, { ...order, ...changes })
  }
  const statusOf = (reference: string): Order['status'] | undefined => orders.get(reference)?.status
  initial.forEach(add)

  return {
    add,
    cancel: (reference) => {
      if (statusOf(reference) !== 'completed') change(reference, { status: 'cancelled' })
    },
    expire: (reference) => {
      const status = statusOf(reference)
      if (status === 'pending' || status === 'failed') change(reference, { status: 'expired' })
    },
    all: () => [...orders.values()],
    findByReference: async (reference) => {
      const order = orders.get(reference)
      return order === undefined ? null : { ...order }
    },
    findByBodyHash: async (bodyBase64Hash) => {
      const wanted = canonicalTransactionHash(bodyBase64Hash)
      const order = [...orders.values()].find(
        (one) => canonicalTransactionHash(one.bodyBase64Hash ?? '') === wanted,
      )
      return order === undefined ? null : { ...order }
    },
    complete: async (reference, payment) => {
      const order = orders.get(reference)
      if (order === undefined) return 'not-found'
      if (order.status === 'cancelled') return 'conflict'
      if (order.status === 'completed') {
        return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
      }
      change(reference, { status: 'completed', payment })
      return 'applied'
    },
    recordFailure: async (reference, { txHash }) => {
      const status = statusOf(reference)
      if (status === undefined) return 'not-found'
      if (status === 'failed' && failedBy.get(reference) === txHash) return 'already-applied'
      if (status !== 'pending') return 'conflict'
      change(reference, { status: 'failed' })
      failedBy.set(reference, txHash)
      return 'applied'
    },
    async *listOpen({ createdBefore, createdAfter }) {
      const isOpen = ({ status, createdAt }: O & { createdAt: Date }): boolean =>
        (status === 'pending' || status === 'failed' || status === 'expired') &&
        (createdBefore === undefined || createdAt < createdBefore) &&
        (createdAfter === undefined || createdAt >= createdAfter)
      yield* [...orders.values()]
        .filter(isOpen)
        .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime())
    },
  }
}
