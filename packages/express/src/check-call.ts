import { IncomingMessage } from 'node:http'
import { ConfigurationError } from '@tonplug/core'

/**
 * Checks that a function that returns a middleware was called, not mounted itself.
 * @throws {ConfigurationError} when its argument is a request.
 */
export function checkCall(name: string, argument: unknown, example: string): void {
  if (!(argument instanceof IncomingMessage)) return
  const problem = `was mounted without being called; write ${example}`
  throw new ConfigurationError({ option: name, problem })
}
