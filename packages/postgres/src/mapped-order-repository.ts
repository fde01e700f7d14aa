import { checkCreationTime } from './check-creation-time.js'
import { RepositoryError, type Order, type OrderRepository } from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { checkOrderTable } from './check-order-table.js'
import { checkSearchIndexes } from './check-search-indexes.js'
import { databaseOf } from './database.js'
import {
  MAPPING,
  toMapping,
  type OrderMapping,
  type MappedOrderRepositoryOptions,
} from './order-mapping.js'
import type { Queryable } from './queryable.js'
import type { Run } from './record-decision.js'
import { tableAccessProblem } from './sql/access.js'
import type { OrderTable } from './sql/order-table.js'
import { orderStatements, type OrderStatements } from './sql/orders.js'
import { statement } from './sql/statement.js'
import { registerOrders, tableMethods } from './table-orders.js'

/** Orders in a table of the shop. */
export interface MappedOrderRepository<Extra extends object = object> extends OrderRepository<
  Order & Extra
> {
  findByReferences(references: readonly string[]): Promise<(Order & Extra)[]>
  /**
   * Compares the table with its mapping, and checks the privileges and the time zone of new orders. Call it at start; the first use of the orders also
   * compares, and `payments.health()` calls it.
   * @throws {RepositoryError} with every difference, and the SQL that adds what is missing.
   */
  checkAccess(): Promise<void>
}

/**
 * Creates a repository of orders in an existing table of PostgreSQL or PGlite. Each transition is one conditional `UPDATE`.
 * With `postgresInbox` on the same `db`, a delivery costs two round trips, and an order's transition commits together with
 * its decision. Statements run on connections of their own, never in a transaction that is open around a request.
 * @param db see `postgresInbox`.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @throws {RepositoryError} from every method when the database cannot be reached or the table does not fit the mapping.
 * @example
 * const orders = mappedOrderRepository(pool, {
 *   table: 'orders',
 *   columns: { reference: 'number', rawAmount: 'nanotons', status: 'state', payment: 'ton_payment' },
 *   asset: 'TON',
 *   statuses: { pending: 'awaiting_payment', completed: 'paid', cancelled: 'cancelled' },
 * })
 * await orders.checkAccess()
 */
export function mappedOrderRepository<Extra extends object = object>(
  db: Queryable,
  options: MappedOrderRepositoryOptions<Extra>,
): MappedOrderRepository<Extra> {
  const mapping = toMapping(parseOptions(MAPPING, options))
  const database = databaseOf(db)
  const run = database.runWithoutSchema
  const described = describeOnce(run, mapping)
  const statements = async () => (await described()).statements
  const orders = { database, run, statements }
  // `extra` has a column for each field of the shop.
  const { findByBodyHashes, list, search, ...methods } = tableMethods(orders) as Required<
    OrderRepository<Order & Extra>
  >
  return registerOrders(
    {
      ...methods,
      ...(mapping.columns.bodyBase64Hash !== undefined && { findByBodyHashes }),
      ...(mapping.columns.createdAt !== undefined && { list }),
      ...(mapping.search !== undefined && { search }),
      async checkAccess() {
        const { table } = await described()
        await checkPrivileges(run, table)
        if (mapping.search !== undefined) await checkSearchIndexes(run, table)
        await checkCreationTime(run, table, mapping.columns.createdAt)
      },
    },
    orders,
  )
}

/** Compares the table with its mapping once; after a failure, again. */
function describeOnce(
  run: Run,
  mapping: OrderMapping,
): () => Promise<{ table: OrderTable; statements: OrderStatements }> {
  let described: Promise<{ table: OrderTable; statements: OrderStatements }> | undefined
  return () => {
    described ??= checkOrderTable(run, mapping).then(
      (table) => ({ table, statements: orderStatements(table) }),
      (error: unknown) => {
        described = undefined
        throw error
      },
    )
    return described
  }
}

async function checkPrivileges(run: Run, { name }: OrderTable): Promise<void> {
  const operation = 'orders.checkAccess'
  const problem = tableAccessProblem(name, ['SELECT', 'UPDATE'])
  const [row] = await run(statement(operation, `SELECT ${problem} AS problem`), [])
  if (typeof row?.['problem'] !== 'string') return
  throw new RepositoryError({ operation, problem: row['problem'] })
}
