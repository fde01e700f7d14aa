/**
 * Makes `JSON.stringify` write the bigints of an object, for example of an order that your repository returns, as decimal
 * strings. Adds a method `toJSON` that is not enumerable, so a copy by spread does not have it.
 */
export function withJson<T extends object>(value: T): T {
  return Object.defineProperty(value, 'toJSON', {
    value: toJSON,
    configurable: true,
    writable: true,
  })
}

function toJSON(this: object): unknown {
  return JSON.parse(JSON.stringify({ ...this }, bigintAsText))
}

/** Reads from the holder: a `toJSON` of `BigInt.prototype` may lose digits. */
function bigintAsText(this: Record<string, unknown>, key: string, json: unknown): unknown {
  const value = this[key]
  return typeof value === 'bigint' ? value.toString() : json
}
