import type { Order, OrderRepository, OrderStatus, Transition } from '@tonplug/core'
import { In, type EntityManager, type FindOptionsWhere } from 'typeorm'
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js'
import { OrderEntity } from './order.entity.js'

const OPEN: OrderStatus[] = ['pending', 'failed', 'expired']

/** An order of this shop. Handlers and rules receive it with its own fields. */
export interface ShopOrder extends Order {
  item: string
  createdAt: Date
}

/** Creates a repository for the orders of one merchant. `manager` belongs to the data source or to one transaction. */
export function typeormOrderRepository(manager: EntityManager): OrderRepository<ShopOrder> {
  const findMany = async (where: FindOptionsWhere<OrderEntity>): Promise<ShopOrder[]> =>
    (await manager.findBy(OrderEntity, where)).map(toOrder)

  return {
    async find({ reference }) {
      const [order] = await findMany({ reference })
      return order ?? null
    },
    complete({ reference }, { rawAmount: paidAmount, ...payment }) {
      const { txHash } = payment
      return move(manager, reference, {
        change: { status: 'completed', txHash, paidAmount, payment },
        isDone: (order) => order.status === 'completed' && order.txHash === txHash,
      })
    },
    fail({ reference }, failure) {
      const { txHash } = failure
      return move(manager, reference, {
        // An expired order stays expired.
        change: {
          status: () => "CASE status WHEN 'pending' THEN 'failed' ELSE status END",
          txHash,
          failure,
        },
        when: 'tx_hash IS DISTINCT FROM :txHash',
        isDone: (order) => OPEN.includes(order.status) && order.txHash === txHash,
      })
    },
    async *listOpen({ createdAfter, limit }) {
      const query = manager.createQueryBuilder(OrderEntity, 'o').where({ status: In(OPEN) })
      if (createdAfter) query.andWhere('o.created_at >= :createdAfter', { createdAfter })
      yield* (await query.orderBy('o.createdAt').limit(limit).getMany()).map(toOrder)
    },
    findByBodyHashes: (hashes) => findMany({ bodyBase64Hash: In([...hashes]) }),
    findByReferences: (references) => findMany({ reference: In([...references]) }),
  }
}

/** One conditional UPDATE: of concurrent callers, one changes the row; the others read why they did not. */
async function move(
  manager: EntityManager,
  reference: string,
  transition: {
    change: QueryDeepPartialEntity<OrderEntity> & { txHash: string }
    /** A further condition. */
    when?: string
    /** Returns true when the same transfer made this transition before. */
    isDone: (order: OrderEntity) => boolean
  },
): Promise<Transition> {
  const { change, when = 'true', isDone } = transition
  const { affected } = await manager
    .createQueryBuilder()
    .update(OrderEntity)
    .set(change)
    .where({ reference, status: In(OPEN) })
    .andWhere(when, { txHash: change.txHash })
    .execute()
  if (affected === 1) return 'applied'
  const order = await manager.findOneBy(OrderEntity, { reference })
  if (order === null) return 'not-found'
  return isDone(order) ? 'already-applied' : 'conflict'
}

function toOrder({ payment, paidAmount, txHash: _txHash, ...row }: OrderEntity): ShopOrder {
  const isPaid = payment !== null && paidAmount !== null
  return { ...row, payment: isPaid ? { ...payment, rawAmount: paidAmount } : null }
}
