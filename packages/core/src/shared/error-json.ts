/** Stacks of get-methods may nest deeper than the call stack allows. */
const MOST_LEVELS = 12
const LEFT_OUT = '…'

/** Converts any value to plain JSON values. Cycles, unreadable parts and parts that are nested too deep become `…`. */
export function toPlainJson(value: unknown): unknown {
  return plain(value, [])
}

/** @param above the objects that contain the value */
function plain(value: unknown, above: readonly object[]): unknown {
  if (typeof value === 'bigint') return value.toString()
  // A function named `toJSON` would be called.
  if (typeof value === 'function') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (above.length >= MOST_LEVELS || above.includes(value)) return LEFT_OUT
  const within = [...above, value]
  try {
    if (value instanceof Error) return plainError(value, within)
    if (value instanceof Date) return value.toJSON()
    if (Array.isArray(value)) return value.map((item) => plain(item, within))
    const entries = Object.entries(value).map(([name, one]) => [name, plain(one, within)])
    return Object.fromEntries(entries)
  } catch {
    // A getter, or a proxy, that throws.
    return LEFT_OUT
  }
}

/** Converts a caught value. An object that is not an error is left out, since it may contain secrets. */
export function causeToPlainJson(cause: unknown, above: readonly object[] = []): unknown {
  const isObject = typeof cause === 'object' && cause !== null
  return isObject && !(cause instanceof Error) ? LEFT_OUT : plain(cause, above)
}

/** Other properties are left out: HTTP and database clients attach whole requests, API keys included. */
function plainError(error: Error, above: readonly object[]): unknown {
  const { name, message, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { name, message, code, cause: causeToPlainJson(cause, above) }
}
