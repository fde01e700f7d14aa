/** An error as plain JSON values: for logs, and for whatever passes errors on. */
export interface TonplugErrorJson {
  name: string
  code: string
  message: string
  retryable: boolean
  /** Bigints as texts of their digits. */
  details: unknown
  /** What was caught, if anything: name, message and code of an error, and its own cause. */
  cause?: unknown
}

/** Stacks of get-methods may nest deeper than the call stack reaches. */
const MOST_LEVELS = 12
const LEFT_OUT = '…'

/** A value as plain JSON values, whatever it is: too deep parts, loops and what cannot be read are left out. */
export function toPlainJson(value: unknown): unknown {
  return plain(value, [])
}

/** @param above the objects that hold the value */
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

/** What was caught, as plain JSON values: an error, or a bare value. An object may hold anything, keys included. */
export function causeToPlainJson(cause: unknown, above: readonly object[] = []): unknown {
  const isObject = typeof cause === 'object' && cause !== null
  return isObject && !(cause instanceof Error) ? LEFT_OUT : plain(cause, above)
}

/** Clients of HTTP and databases hang whole requests on their errors, keys included: nothing else of them is told. */
function plainError(error: Error, above: readonly object[]): unknown {
  const { name, message, cause } = error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { name, message, code, cause: causeToPlainJson(cause, above) }
}
