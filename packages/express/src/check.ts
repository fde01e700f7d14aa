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

/** @throws {ConfigurationError} for options that are not an object, and for an unknown one. */
export function checkOptions(
  caller: string,
  options: unknown,
  { names, hint }: { names: readonly string[]; hint: string },
): void {
  if (typeof options !== 'object' || options === null) {
    const problem = `must be called with an object; received ${describe(options)}`
    throw new ConfigurationError({ option: caller, problem })
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw new ConfigurationError({ option: unknown, problem: `is not an option here; ${hint}` })
}

/** @throws {ConfigurationError} when an argument lacks a method. */
export function checkMethod(
  caller: string,
  value: unknown,
  { method, expected }: { method: string; expected: string },
): void {
  if (hasMethod(value, method)) return
  const problem = `must be ${expected}; received ${describe(value)}`
  throw new ConfigurationError({ option: caller, problem })
}

/** Compares no classes: to import `node:http` loads Node's `fetch` with HTTP/2 and TLS, 4 MB. */
function isRequest(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'httpVersion') === 'string'
  )
}

/** Returns true for an object with a method of this name. */
function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === 'function'
  )
}

/** Returns the type of a value. Its text may be a secret. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
