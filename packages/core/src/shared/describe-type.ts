/** Describes a value. The content of a string is omitted, since it may be a secret. */
export function describeType(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value === '' ? 'an empty string' : `a string of ${value.length} characters`
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
      return value instanceof Promise ? 'a promise' : 'an object'
    case 'function':
      return 'a function'
    case 'symbol':
      return 'a symbol'
    default:
      return String(value)
  }
}
