import type { Queryable } from '../queryable.js'
import { rememberQueryable } from './remember.js'

/** A `Knex` with the client `pg`, or a transaction of it. */
export interface KnexLike {
  client: {
    acquireConnection(): Promise<Queryable>
    releaseConnection(connection: Queryable): Promise<unknown>
  }
}

/**
 * Runs SQL with Knex: on a connection of its pool, or in the given transaction. Not with `knex.raw`, which replaces every `?`
 * and may rename columns.
 * @example
 * const orders = mappedOrderRepository(fromKnex(knex), mapping)
 */
export function fromKnex(knex: KnexLike): Queryable {
  return rememberQueryable(
    knex,
    { method: 'client', expected: 'a Knex or a transaction of it' },
    () => ({
      async query(text, values) {
        const connection = await knex.client.acquireConnection()
        try {
          return await connection.query(text, values)
        } finally {
          await knex.client.releaseConnection(connection)
        }
      },
    }),
  )
}
