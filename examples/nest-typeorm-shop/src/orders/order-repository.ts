import type {
  OpenOrdersQuery,
  Order,
  OrderRepository,
  OrderStatus,
  Transition,
} from '@tonplug/core'
import type { EntityManager } from 'typeorm'
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js'
import { OrderEntity } from './order.entity.js'

const PAYABLE: OrderStatus[] = ['pending', 'failed', 'expired']
const PAGE_SIZE = 200

/** An order of this shop. Handlers and rules receive it with its own fields. */
export interface ShopOrder extends Order {
  item: string
  createdAt: Date
}

/** Orders through TypeORM. `manager` is that of the data source, or of one transaction. */
export function typeormOrderRepository(manager: EntityManager): OrderRepository<ShopOrder> {
  return {
    async findByReference(reference) {
      const row = await manager.findOneBy(OrderEntity, { reference })
      return row === null ? null : toOrder(row)
    },
    async findByBodyHash(bodyBase64Hash) {
      const row = await manager.findOneBy(OrderEntity, { bodyBase64Hash })
      return row === null ? null : toOrder(row)
    },
    complete(reference, { rawAmount: paidAmount, ...payment }) {
      const { txHash } = payment
      return move(manager, reference, {
        from: PAYABLE,
        to: { status: 'completed', txHash, paidAmount, payment },
      })
    },
    recordFailure(reference, failure) {
      const { txHash } = failure
      return move(manager, reference, {
        from: ['pending'],
        to: { status: 'failed', txHash, failure },
      })
    },
    listOpen: (query) => listOpen(manager, query),
  }
}

interface Move {
  from: OrderStatus[]
  to: QueryDeepPartialEntity<OrderEntity> & { status: OrderStatus; txHash: string }
}

/** One conditional UPDATE: of any number of callers, one gets the row. The others learn why they did not. */
async function move(
  manager: EntityManager,
  reference: string,
  { from, to }: Move,
): Promise<Transition> {
  const { affected } = await manager
    .createQueryBuilder()
    .update(OrderEntity)
    .set(to)
    .where('reference = :reference AND status IN (:...from)', { reference, from })
    .execute()
  if (affected === 1) return 'applied'
  const row = await manager.findOneBy(OrderEntity, { reference })
  if (row === null) return 'not-found'
  return row.status === to.status && row.txHash === to.txHash ? 'already-applied' : 'conflict'
}

/** Reads page by page, so that the caller may take its time while no cursor is open. */
async function* listOpen(
  manager: EntityManager,
  { createdAfter, createdBefore }: OpenOrdersQuery,
): AsyncIterable<ShopOrder> {
  let page: OrderEntity[] = []
  do {
    const last = page.at(-1)
    const query = manager
      .createQueryBuilder(OrderEntity, 'o')
      .where('o.status IN (:...payable)', { payable: PAYABLE })
    if (createdAfter) query.andWhere('o.created_at >= :createdAfter', { createdAfter })
    if (createdBefore) query.andWhere('o.created_at < :createdBefore', { createdBefore })
    if (last) {
      const position = { lastAt: last.createdAt, lastReference: last.reference }
      query.andWhere('(o.created_at, o.reference) > (:lastAt, :lastReference)', position)
    }
    query.orderBy('o.createdAt').addOrderBy('o.reference').limit(PAGE_SIZE)
    page = await query.getMany()
    yield* page.map(toOrder)
  } while (page.length === PAGE_SIZE)
}

function toOrder({ payment, paidAmount, recipient, ...row }: OrderEntity): ShopOrder {
  const isPaid = payment !== null && paidAmount !== null
  return {
    ...row,
    recipient: recipient ?? undefined,
    payment: isPaid ? { ...payment, rawAmount: paidAmount } : undefined,
  }
}
