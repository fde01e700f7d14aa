import type { Json } from './json.js'

/** Writes amounts by the id of the currency. */
export function writeCurrencies(amounts: Iterable<[number, bigint]>): Json {
  return Object.fromEntries([...amounts].map(([id, amount]) => [id, amount.toString()]))
}
