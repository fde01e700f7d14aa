import type { WireParams } from '../schema/check-params.js'

/** One value in a query; a list repeats its name. */
export type QueryValue = string | number | bigint | boolean

/** Writes a query: a list repeats its name. */
export function writeQuery(params: WireParams): [string, string][] {
  return Object.entries(params).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.map((one): [string, string] => [name, String(one)])
  })
}
