import type { Inbox } from '@tonplug/core'
import { postgresInbox, type WithTransaction } from '@tonplug/postgres'
import { sql, type SQL } from 'drizzle-orm'
import type { Database, ShopDatabase } from './database.js'
import { drizzleOrderRepository } from './order-repository.js'

/**
 * The inbox in the database of the orders, over the same pool: an order's transition and the decision about its
 * delivery are made in one transaction of Drizzle.
 */
export function drizzleInbox({ db, pool }: Database): Inbox {
  return postgresInbox(pool, { withTransaction: transactionsOf(db) })
}

/** The orders and the SQL of one transaction. */
function transactionsOf(db: ShopDatabase): WithTransaction {
  return (work) =>
    db.transaction((tx) =>
      work({
        orders: drizzleOrderRepository(tx),
        db: { query: (text, values = []) => tx.execute(toSql(text, values)) },
      }),
    )
}

/** Drizzle numbers parameters itself, so `$1` and its like are taken out of the text. */
function toSql(text: string, values: (string | null)[]): SQL {
  const parts = text.split(/\$(\d+)/)
  return sql.join(
    parts.map((part, index) =>
      index % 2 === 0 ? sql.raw(part) : sql.param(values[Number(part) - 1]),
    ),
  )
}
