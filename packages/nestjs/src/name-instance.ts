import { ConfigurationError } from '@tonplug/core'
import { DEFAULT_INSTANCE } from './tonplug.tokens.js'

/**
 * Makes a part of an instance from its options.
 * @throws {ConfigurationError} that says whose option it is, where the instance has a name.
 */
export function nameInstance<Part>(name: string, make: () => Part): Part {
  try {
    return make()
  } catch (cause) {
    if (name === DEFAULT_INSTANCE || !(cause instanceof ConfigurationError)) throw cause
    const { option } = cause.details
    const problem = cause.message.slice(`${option}: `.length)
    throw new ConfigurationError({ option: `${option} of '${name}'`, problem, cause })
  }
}
