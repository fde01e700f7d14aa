import { ConfigurationError } from '../errors/configuration.js'

/** @throws {ConfigurationError} when the option is no number above 0. */
export function positive(option: string, value: number): number {
  // A caller without types may give a text, which compares like a number.
  if (value > 0 && typeof value === 'number') return value
  throw new ConfigurationError({ option, problem: 'is not above 0' })
}

/** @throws {ConfigurationError} when the option is no number, or below 0. */
export function notNegative(option: string, value: number): number {
  if (value >= 0 && typeof value === 'number') return value
  throw new ConfigurationError({ option, problem: 'must not be below 0' })
}
