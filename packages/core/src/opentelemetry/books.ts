import type { BatchObservableResult } from '@opentelemetry/api'
import type { BooksEvent } from '../payments/engine/instrumentation.js'
import { PAYMENTS_NAME } from './attributes.js'
import type { BookGauges } from './instruments.js'

/** The last comparison of each wallet, by the name of its Payments. */
export type LastBooks = Map<string, Map<string, BooksEvent['accounts']>>

export function noteBooks(last: LastBooks, { payments, wallet, accounts }: BooksEvent): void {
  const wallets = last.get(payments) ?? new Map<string, BooksEvent['accounts']>()
  last.set(payments, wallets.set(wallet, accounts))
}

/** Observes the sums over the wallets. */
export function observeBooks(
  last: LastBooks,
  gauges: BookGauges,
  result: BatchObservableResult,
): void {
  for (const [name, wallets] of last) {
    const accounts = [...wallets.values()].flat()
    const attributes = { [PAYMENTS_NAME]: name }
    const alarms = accounts.reduce((sum, { alarms: { length } }) => sum + length, 0)
    result.observe(gauges.alarms, alarms, attributes)
    const holds = accounts.filter(({ hold }) => hold !== undefined).length
    result.observe(gauges.holds, holds, attributes)
  }
}
