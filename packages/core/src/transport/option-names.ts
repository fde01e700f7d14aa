import { ConfigurationError } from '../errors/configuration.js'
import { hintForName } from '../schema/nearest-name.js'
import { isObject } from '../schema/readers.js'
import type { TransportHooks } from './hooks.js'
import type { RequestOptions, TransportOptions } from './options.js'

const NAMES: Record<keyof TransportOptions, true> = {
  network: true,
  baseUrl: true,
  apiKey: true,
  rps: true,
  limiter: true,
  retry: true,
  timeoutMs: true,
  deadlineMs: true,
  maxBodyBytes: true,
  fetch: true,
  clock: true,
  random: true,
  hooks: true,
  instrumentation: true,
}

/** The names of all options of a transport. */
export const TRANSPORT_OPTIONS: readonly string[] = Object.keys(NAMES)

/** The names of all hooks. */
export const HOOKS: readonly (keyof TransportHooks)[] = [
  'request',
  'response',
  'retry',
  'wait',
  'error',
  'drift',
]

/** The names of all options that a transport takes with a call. */
export const REQUEST_OPTIONS: readonly (keyof RequestOptions)[] = [
  'signal',
  'timeoutMs',
  'deadlineMs',
  'priority',
  'headers',
]

/**
 * Checks that options have known names, for whoever makes an adapter or a store: nobody would see that a misspelt option
 * does nothing. One whose value is `undefined` counts as left out.
 * @param known the names of all options
 * @param inside the name of the option that holds these, with a dot. @default ''
 * @throws {ConfigurationError} for an option that does not exist, with the nearest name, or with all of them.
 * @example
 * ```ts
 * import { checkOptionNames } from '@tonplug/core'
 *
 * interface ShopQueueOptions {
 *   url: string
 *   prefix?: string | undefined
 * }
 * // The compiler misses what is not listed.
 * const NAMES: Record<keyof ShopQueueOptions, true> = { url: true, prefix: true }
 *
 * export function shopQueue(options: ShopQueueOptions) {
 *   checkOptionNames(options, Object.keys(NAMES))
 * }
 * ```
 */
export function checkOptionNames(options: unknown, known: readonly string[], inside = ''): void {
  checkObject(inside === '' ? 'options' : inside.slice(0, -1), options)
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue
    const problem = `is not an option here; ${hintForName(name, known)}`
    throw new ConfigurationError({ option: inside + name, problem })
  }
}

/** @throws {ConfigurationError} when the value of an option is no object. */
export function checkObject(option: string, value: unknown): asserts value is object {
  if (!isObject(value)) throw new ConfigurationError({ option, problem: 'must be an object' })
}
