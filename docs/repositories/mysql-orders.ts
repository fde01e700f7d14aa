// The order repository of docs/guide/write-a-repository.md for MySQL and MariaDB.
import type { Order, OrderRepository } from '@tonplug/core'
import type { Pool, ResultSetHeader, RowDataPacket } from 'mysql2/promise'

const IS_OPEN = `status IN ('pending', 'failed', 'expired')`

/** @param pool with the option `timezone: 'Z'` */
export function mysqlOrders(pool: Pool): OrderRepository {
  const select = async (rest: string, values: unknown[]): Promise<Order[]> => {
    const [rows] = await pool.query<RowDataPacket[]>(`SELECT * FROM orders WHERE ${rest}`, values)
    return rows.map(toOrder)
  }
  const find = async (reference: string): Promise<Order | null> =>
    (await select('reference = ?', [reference]))[0] ?? null
  const update = async (sql: string, values: unknown[]): Promise<boolean> => {
    const [{ affectedRows }] = await pool.query<ResultSetHeader>(`UPDATE orders SET ${sql}`, values)
    return affectedRows === 1
  }
  return {
    find: ({ reference }) => find(reference),
    async complete({ reference }, payment) {
      const sql = `status = 'completed', payment = ? WHERE reference = ? AND ${IS_OPEN}`
      const json = JSON.stringify({ ...payment, rawAmount: String(payment.rawAmount) })
      if (await update(sql, [json, reference])) return 'applied'
      const order = await find(reference)
      if (order === null) return 'not-found'
      return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
    },
    async fail({ reference }, failure) {
      const sql = `status = IF(status = 'pending', 'failed', status), failure = ?, failure_tx_hash = ?
        WHERE reference = ? AND ${IS_OPEN} AND NOT failure_tx_hash <=> ?`
      const { txHash } = failure
      if (await update(sql, [JSON.stringify(failure), txHash, reference, txHash])) return 'applied'
      const order = await find(reference)
      if (order === null) return 'not-found'
      const isOpen = order.status === 'failed' || order.status === 'expired'
      return isOpen && order.failure?.txHash === txHash ? 'already-applied' : 'conflict'
    },
    async *listOpen({ createdAfter = new Date(0), limit }) {
      const rest = `${IS_OPEN} AND created_at >= ? ORDER BY created_at, reference LIMIT ?`
      yield* await select(rest, [createdAfter, limit])
    },
  }
}

function toOrder(row: RowDataPacket): Order {
  const { reference, raw_amount, asset, status, created_at: createdAt, recipient } = row
  const payment = row['payment'] === null ? undefined : JSON.parse(row['payment'])
  return {
    asset,
    status,
    createdAt,
    recipient,
    reference: String(reference),
    rawAmount: BigInt(raw_amount),
    payment: payment && { ...payment, rawAmount: BigInt(payment.rawAmount) },
    failure: row['failure'] === null ? undefined : JSON.parse(row['failure']),
  }
}
