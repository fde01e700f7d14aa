import { ConfigurationError } from '@tonplug/core'

/**
 * Checks that a function that returns a middleware was called, not mounted itself.
 * @throws {ConfigurationError} when its argument is a request.
 */
export function checkCall(name: string, argument: unknown, example: string): void {
  if (!isRequest(argument)) return
  const problem = `was mounted without being called; write ${example}`
  throw new ConfigurationError({ option: name, problem })
}

/** Compares no classes: to import `node:http` loads Node's `fetch` with HTTP/2 and TLS, 4 MB. */
function isRequest(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'httpVersion') === 'string'
  )
}
