import { ConfigurationError } from '../shared/configuration-error.js'
import { describeType } from '../shared/describe-type.js'
import { isObject } from '../shared/is-object.js'
import { hintForName } from '../shared/nearest-name.js'

/**
 * Checks the names of the options of a bridge. An option whose value is `undefined` counts as left out.
 * @param option the name of the argument that holds them, for example `orderStatusStream`.
 * @throws {ConfigurationError} for options that are not an object, and for an unknown one.
 */
export function checkNames(option: string, options: unknown, names: readonly string[]): void {
  if (!isObject(options)) {
    const problem = `must be an object with ${names.join(', ')}; received ${describeType(options)}`
    throw new ConfigurationError({ option, problem })
  }
  const unknown = Object.keys(options).find(
    (name) => options[name] !== undefined && !names.includes(name),
  )
  if (unknown === undefined) return
  const problem = `is not an option here; ${hintForName(unknown, names)}`
  throw new ConfigurationError({ option: `${option}.${unknown}`, problem })
}

/**
 * Checks that an argument of a bridge has a method.
 * @param expected describes the argument, for example `the result of createPayments()`.
 * @throws {ConfigurationError} when it lacks the method.
 */
export function checkMethod(
  option: string,
  value: unknown,
  { method, expected }: { method: string; expected: string },
): void {
  if (isObject(value) && typeof value[method] === 'function') return
  const problem = `must be ${expected}; received ${describeType(value)}`
  throw new ConfigurationError({ option, problem })
}

/**
 * Checks the Payments and the options of the status streams of a bridge.
 * @param names the names of the options; each bridge has some of its own.
 * @throws {ConfigurationError} for another object than Payments, for an unknown option, a `key` that is not a function, and
 * `maxStreams` that is neither a whole number above zero nor `Infinity`.
 */
export function checkOrderStatusStream(
  payments: unknown,
  options: { key?: unknown; maxStreams?: unknown },
  names: readonly string[],
): void {
  const expected = 'the result of createPayments()'
  checkMethod('payments', payments, { method: 'watchStatus', expected })
  checkNames('orderStatusStream', options, names)
  const { key, maxStreams } = options
  if (key !== undefined && typeof key !== 'function') {
    const problem = `must be a function that returns a reference or { reference, merchant }; received ${describeType(key)}`
    throw new ConfigurationError({ option: 'orderStatusStream.key', problem })
  }
  if (maxStreams === undefined || maxStreams === Infinity) return
  if (typeof maxStreams === 'number' && Number.isInteger(maxStreams) && maxStreams > 0) return
  const problem = `must be a whole number above zero, or Infinity; received ${describeType(maxStreams)}`
  throw new ConfigurationError({ option: 'orderStatusStream.maxStreams', problem })
}
