import type { InboxSums, SumsPeriod } from '@tonplug/core'
import type { Database } from './database.js'
import { number, text } from './rows.js'
import * as sql from './sql/sums.js'

/** See `Inbox.sums`. */
export async function sumPeriod(
  database: Database,
  { name, fromMs, beforeMs }: SumsPeriod,
): Promise<InboxSums> {
  const period = [name, String(fromMs), String(beforeMs)]
  const [credits, prices] = await Promise.all([
    database.run(sql.sumCredits, period),
    database.run(sql.sumPrices, period),
  ])
  const priced = prices.filter((row) => typeof row['currency'] === 'string')
  const unpriced = prices.find((row) => typeof row['currency'] !== 'string')
  return {
    credits: credits.map((row) => ({
      asset: text(row, 'asset'),
      rawAmount: BigInt(text(row, 'raw_amount')),
      count: number(row, 'count'),
    })),
    prices: priced.map((row) => ({
      currency: text(row, 'currency'),
      price: text(row, 'price'),
      count: number(row, 'count'),
    })),
    unpriced: number(unpriced, 'count'),
  }
}
