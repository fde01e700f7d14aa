import { IncomingMessage } from 'node:http'
import { ConfigurationError } from '@tonplug/core'

/**
 * Checks that a function which makes a middleware is not mounted in the middleware's place.
 * @throws {ConfigurationError} when what it is called with is a request.
 */
export function checkCall(name: string, given: unknown, example: string): void {
  if (!(given instanceof IncomingMessage)) return
  const problem = `was mounted without being called; write ${example}`
  throw new ConfigurationError({ option: name, problem })
}
