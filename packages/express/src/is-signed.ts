import type { IncomingHttpHeaders } from 'node:http'

/** Whether a request claims to be signed. `names` are in lower case. */
export function isSigned(headers: IncomingHttpHeaders, names: readonly string[]): boolean {
  return names.some((name) => headers[name] !== undefined)
}
