import type { Json } from './json.js'

/** Amounts by the currency's id. */
export function writeCurrencies(amounts: Iterable<[number, bigint]>): Json {
  return Object.fromEntries([...amounts].map(([id, amount]) => [id, amount.toString()]))
}
