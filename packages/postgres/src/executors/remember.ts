import { ConfigurationError } from '@tonplug/core'
import type { Queryable } from '../queryable.js'

const queryables = new WeakMap<object, Queryable>()

/**
 * Returns one `Queryable` for each object of a library, so that an inbox recognizes orders in the same database.
 * @param expected completes "must be …"
 * @throws {ConfigurationError} when the object lacks the method.
 */
export function rememberQueryable(
  library: object,
  { method, expected }: { method: string; expected: string },
  create: () => Queryable,
): Queryable {
  // Callers without type checks can pass anything.
  const given: unknown = library
  if (
    (typeof given !== 'object' && typeof given !== 'function') ||
    given === null ||
    !(method in given)
  ) {
    throw new ConfigurationError({ option: 'db', problem: `must be ${expected}` })
  }
  const queryable = queryables.get(library) ?? create()
  queryables.set(library, queryable)
  return queryable
}
