import type { Queryable } from '../queryable.js'
import { fromKysely, type KyselyLike } from './from-kysely.js'
import { rememberQueryable } from './remember.js'

/** The `EntityManager` of MikroORM 7 on PostgreSQL, global or of one transaction. */
export interface MikroOrmLike {
  readonly global: boolean
  getConnection(): { getClient(): KyselyLike }
  getTransactionContext(): unknown
}

/**
 * Runs SQL with MikroORM: on a connection of its pool, or in the transaction of the given entity manager. The global entity
 * manager never joins a transaction that is open around a request.
 * @example
 * const orders = mappedOrderRepository(fromMikroOrm(orm.em), mapping)
 */
export function fromMikroOrm(em: MikroOrmLike): Queryable {
  return rememberQueryable(
    em,
    { method: 'getTransactionContext', expected: 'an EntityManager of MikroORM' },
    () => {
      // The global one would return the transaction of the caller's async context.
      const transaction = em.global ? undefined : em.getTransactionContext()
      // The context of a Kysely driver.
      if (transaction !== undefined) return fromKysely(transaction as KyselyLike)
      return {
        query: (text, values) => fromKysely(em.getConnection().getClient()).query(text, values),
      }
    },
  )
}
