import type { IncomingHttpHeaders } from 'node:http'

/** Returns true for a request with one of the signature headers. `names` are in lower case. */
export function isSigned(headers: IncomingHttpHeaders, names: readonly string[]): boolean {
  return names.some((name) => headers[name] !== undefined)
}
