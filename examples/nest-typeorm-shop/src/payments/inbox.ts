import type { Inbox } from '@tonplug/core'
import { postgresInbox, type Queryable, type WithTransaction } from '@tonplug/postgres'
import type { DataSource, QueryRunner } from 'typeorm'
import { typeormOrderRepository } from '../orders/order-repository.js'

/**
 * Creates the inbox in the database of the orders: an order's transition and the decision about its report commit in one
 * transaction of TypeORM.
 */
export function typeormInbox(source: DataSource): Inbox {
  return postgresInbox(queryableOf(source), { withTransaction: transactionsOf(source) })
}

/** Runs SQL on any connection of the data source. */
export function queryableOf(source: DataSource): Queryable {
  return {
    async query(text, values) {
      const runner = source.createQueryRunner()
      try {
        return await runOn(runner, text, values)
      } finally {
        await runner.release()
      }
    },
  }
}

/** Runs work with the orders and the SQL of one transaction. */
export function transactionsOf(source: DataSource): WithTransaction {
  return async (work) => {
    const runner = source.createQueryRunner()
    try {
      return await runner.manager.transaction((manager) =>
        work({
          orders: typeormOrderRepository(manager),
          db: { query: (text, values) => runOn(runner, text, values) },
        }),
      )
    } finally {
      await runner.release()
    }
  }
}

// `true` requests a structured result. Without it TypeORM returns the rows of an UPDATE and their count in one array, which
// looks like two rows.
async function runOn(
  runner: QueryRunner,
  text: string,
  values?: (string | null)[],
): Promise<{ rows: unknown[] }> {
  const { records } = await runner.query(text, values, true)
  return { rows: records }
}
