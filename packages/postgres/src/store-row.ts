import { createHash } from 'node:crypto'
import { isOrderKey, RepositoryError, type NewReport } from '@tonplug/core'
import type { Database } from './database.js'
import { toJson } from './json.js'
import type { Row } from './queryable.js'
import type { Statement } from './sql/statement.js'

const STORE_ATTEMPTS = 5

/** Returns parameters 1 to 15 of the statements that store a report. */
export function insertValues(report: Omit<NewReport, 'wasCompletedBefore'>): (string | null)[] {
  const { name, merchant, key, source, signedWith, reference, txHash, rawBody } = report
  const hash = createHash('sha256').update(key).digest('hex')
  return [
    name,
    merchant,
    hash,
    source,
    signedWith,
    // '' names no order.
    isOrderKey({ reference }) ? reference : '',
    txHash,
    rawBody,
    toJson(report.payments),
    report.problem ?? null,
    String(report.retryInMs),
    report.senderAddr ?? null,
    report.rawAmount ?? null,
    report.comment ?? null,
    report.traceId ?? null,
  ]
}

/**
 * Runs a statement that stores until it returns the row. Where two processes store one report concurrently, the second
 * does not see the row yet after it has waited for the first.
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
    problem: `the report was neither stored nor found in ${STORE_ATTEMPTS} attempts`,
  })
}
