import { ConfigurationError } from '../errors/configuration.js'

/** @throws {ConfigurationError} when the option is given and no function, as a caller without types may write it. */
export function checkFunction(option: string, value: unknown): void {
  if (value === undefined || typeof value === 'function') return
  throw new ConfigurationError({ option, problem: 'is no function' })
}
