import type { WireParams } from '../schema/params-object.js'

export type QueryValue = string | number | bigint | boolean

/** Writes the pairs of a query; a list becomes several pairs with one name. */
export function writeQuery(params: WireParams): [string, string][] {
  return Object.entries(params).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.map((one): [string, string] => [name, String(one)])
  })
}
