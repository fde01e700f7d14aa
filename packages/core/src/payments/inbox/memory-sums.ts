import { formatUnits } from '../../shared/units.js'
import { parseDecimal, power, type Decimal } from '../../shared/decimal.js'
import type { InboxSums, SumOfCredits, SumsPeriod } from './inbox.js'
import { isOfName, type InboxCredits } from './inbox-credits.js'
import type { ReportTable } from './memory-reports.js'

/** Sums the credits of one Payments, and credits without an order. */
export async function sumCredits(
  credits: InboxCredits,
  { name, fromMs, beforeMs }: SumsPeriod,
): Promise<SumOfCredits[]> {
  const period = { fromUtime: Math.ceil(fromMs / 1000), beforeUtime: Math.ceil(beforeMs / 1000) }
  const sums = new Map<string, SumOfCredits>()
  for (const credit of await credits.list({ ...period, limit: Infinity })) {
    const { asset } = credit
    if (!isOfName(credit, name)) continue
    const { rawAmount, count } = sums.get(asset) ?? { rawAmount: 0n, count: 0 }
    sums.set(asset, { asset, rawAmount: rawAmount + credit.rawAmount, count: count + 1 })
  }
  return [...sums.values()].toSorted((one, other) => (one.asset < other.asset ? -1 : 1))
}

/** Sums the prices of the orders that reports of one Payments have completed. */
export function sumPrices(
  { rows }: ReportTable,
  { name, fromMs, beforeMs }: SumsPeriod,
): Pick<InboxSums, 'prices' | 'unpriced'> {
  const sums = new Map<string, { price: Decimal; count: number }>()
  let unpriced = 0
  for (const { report } of rows.values()) {
    const { decision, receivedAtMs } = report
    if (report.name !== name || decision?.kind !== 'paid') continue
    if (receivedAtMs < fromMs || receivedAtMs >= beforeMs) continue
    const { currency = '', orderPrice } = decision.offer?.rate ?? {}
    const price = parseDecimal(orderPrice)
    if (price === undefined) {
      unpriced += 1
      continue
    }
    const sum = sums.get(currency) ?? { price: { digits: 0n, scale: 0 }, count: 0 }
    sums.set(currency, { price: add(sum.price, price), count: sum.count + 1 })
  }
  const prices = [...sums].map(([currency, { price, count }]) => ({
    currency,
    price: formatUnits(price.digits, price.scale),
    count,
  }))
  const byCurrency = prices.toSorted((one, other) => (one.currency < other.currency ? -1 : 1))
  return { prices: byCurrency, unpriced }
}

function add(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale)
  const digitsOf = ({ digits, scale: own }: Decimal): bigint => digits * power(scale - own)
  return { digits: digitsOf(one) + digitsOf(other), scale }
}
