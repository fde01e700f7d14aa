import { ConfigurationError } from '@tonplug/core'
import { DEFAULT_INSTANCE } from './tonplug.tokens.js'

/**
 * Creates a part of an instance from its options.
 * @throws {ConfigurationError} with the instance's name, unless it is the default one.
 */
export function nameInstance<Part>(name: string, create: () => Part): Part {
  try {
    return create()
  } catch (cause) {
    if (name === DEFAULT_INSTANCE || !(cause instanceof ConfigurationError)) throw cause
    const { option } = cause.details
    const problem = cause.message.slice(`${option}: `.length)
    throw new ConfigurationError({ option: `${option} of '${name}'`, problem, cause })
  }
}
