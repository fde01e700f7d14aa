import { createHash } from 'node:crypto'
import { RepositoryError, type NewDelivery } from '@tonplug/core'
import type { Database } from './database.js'
import type { Row } from './queryable.js'
import type { Statement } from './sql/statement.js'

const STORE_ATTEMPTS = 5

/** Parameters 1 to 9 of the statements that store. */
export function insertValues(delivery: Omit<NewDelivery, 'wasCompletedBefore'>): string[] {
  const { receiver, key, reference, txHash, rawBody, signedWith } = delivery
  const hash = createHash('sha256').update(key).digest('hex')
  const times = [String(delivery.receivedAtMs), String(delivery.retryAtMs)]
  return [receiver, key, hash, reference, txHash, rawBody, signedWith, ...times]
}

/**
 * Runs a statement that stores until it sees the row: where two servers store one delivery at once, the one that
 * waited for the other does not see it yet.
 */
export async function storeRow(
  database: Database,
  store: Statement,
  values: (string | null)[],
): Promise<Row> {
  for (let attempt = 0; attempt < STORE_ATTEMPTS; attempt++) {
    const [row] = await database.run(store, values)
    if (row !== undefined) return row
  }
  throw new RepositoryError({
    operation: store.operation,
    problem: `the delivery was neither stored nor found in ${STORE_ATTEMPTS} attempts`,
  })
}
