import type {
  MemoryOrderRepository,
  Order,
  OrderKey,
  OrderListQuery,
  OrderPage,
  Payment,
  PaymentFailure,
} from '@tonplug/core'

export type Change = (repository: MemoryOrderRepository) => Partial<MemoryOrderRepository>

export interface Sabotage {
  /** A fault of the repository. */
  mistake: string
  /** Tests that must fail. */
  noticedBy: RegExp
  change: Change
}
export function onFound(
  inner: MemoryOrderRepository,
  change: (order: Order) => Order,
): (key: OrderKey) => Promise<Order | null> {
  return async (key) => {
    const order = await inner.find(key)
    return order && change(order)
  }
}

type FindMany = (values: readonly string[]) => Promise<Order[]>

export function onAll(
  inner: MemoryOrderRepository,
  method: 'findByReferences' | 'findByBodyHashes',
  change: (order: Order) => Order,
): FindMany {
  return async (values) => ((await inner[method]?.(values)) ?? []).map(change)
}

/** Searches for one value at a time. */
export function oneByOne(
  inner: MemoryOrderRepository,
  method: 'findByReferences' | 'findByBodyHashes',
): FindMany {
  const find = onAll(inner, method, (order) => order)
  return async (values) => (await Promise.all(values.map((value) => find([value])))).flat()
}

export function onMany(change: (orders: Order[]) => Order[]): Change {
  return (inner) => ({
    findByReferences: async (values) => change((await inner.findByReferences?.(values)) ?? []),
    findByBodyHashes: async (values) => change((await inner.findByBodyHashes?.(values)) ?? []),
  })
}

export function listOf(inner: MemoryOrderRepository, query: OrderListQuery): Promise<OrderPage> {
  if (inner.list === undefined) throw new TypeError('expected list')
  return inner.list(query)
}

export function onPages(change: (page: OrderPage) => OrderPage): Change {
  return (inner) => ({ list: async (query) => change(await listOf(inner, query)) })
}

export function onEach(
  inner: MemoryOrderRepository,
  change: (order: Order) => Order,
): MemoryOrderRepository['listOpen'] {
  return async function* (query) {
    for await (const order of inner.listOpen(query)) yield change(order)
  }
}

/** Returns orders without a field, from every method. */
export function withoutField(field: keyof Order): Change {
  const change = (order: Order): Order => ({ ...order, [field]: undefined })
  return (inner) => ({
    find: onFound(inner, change),
    listOpen: onEach(inner, change),
    findByReferences: onAll(inner, 'findByReferences', change),
    findByBodyHashes: onAll(inner, 'findByBodyHashes', change),
    list: async (query) => {
      const page = await listOf(inner, query)
      return { ...page, orders: page.orders.map(change) }
    },
    search: async (query) => ((await inner.search?.(query)) ?? []).map(change),
  })
}

export function withReference(rewrite: (reference: string) => string): Change {
  const rewritten = <Key extends OrderKey>(key: Key): Key => {
    return { ...key, reference: rewrite(key.reference) }
  }
  return (inner) => ({
    add: (order) => inner.add(rewritten(order)),
    find: (key) => inner.find(rewritten(key)),
    complete: (key, payment) => inner.complete(rewritten(key), payment),
  })
}

export function withPayment(rewrite: (payment: Payment) => Payment): Change {
  return (inner) => ({ complete: (key, payment) => inner.complete(key, rewrite(payment)) })
}

export function withFailure(rewrite: (failure: PaymentFailure) => PaymentFailure): Change {
  return (inner) => ({ fail: (key, failure) => inner.fail(key, rewrite(failure)) })
}

export function roundTrip(amount: bigint): bigint {
  return BigInt(Number(amount))
}

export async function collect(orders: AsyncIterable<Order>): Promise<Order[]> {
  const collected: Order[] = []
  for await (const order of orders) collected.push(order)
  return collected
}
