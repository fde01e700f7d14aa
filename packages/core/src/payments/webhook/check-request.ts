import { ConfigurationError } from '../../shared/configuration-error.js'
import { describeType } from '../../shared/describe-type.js'
import { isObject } from '../../shared/is-object.js'

/** Objects that have a method `get` but compare names with their case, or are not headers. */
const OTHERS = ['[object Map]', '[object URLSearchParams]', '[object FormData]']

/**
 * Checks that a request has headers that can be read; with others a signature would be missing.
 * @throws {ConfigurationError} when the request is not an object, and for missing and unknown headers.
 */
export function checkRequest(request: unknown): void {
  if (!isObject(request)) {
    const problem = `must be an object with headers and rawBody; received ${describeType(request)}`
    throw new ConfigurationError({ option: 'request', problem })
  }
  const { headers } = request
  if (isHeaders(headers)) return
  const received =
    isObject(headers) && isObject(headers['headers']) ? 'a whole request' : describeType(headers)
  const problem = `must be Headers, or an object with the names and values of the headers; received ${received}. Pass request.headers of your framework`
  throw new ConfigurationError({ option: 'headers', problem })
}

function isHeaders(headers: unknown): boolean {
  if (!isObject(headers) || isObject(headers['headers'])) return false
  if (typeof headers['get'] === 'function') {
    return !OTHERS.includes(Object.prototype.toString.call(headers))
  }
  // Not by `Object.prototype`: test frameworks have one of their own.
  const prototype: unknown = Object.getPrototypeOf(headers)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
