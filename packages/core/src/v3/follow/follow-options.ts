import type { Endpoint } from '../../endpoint/endpoint.js'
import { InvalidParamsError } from '../../errors/params.js'
import { isCursor, isOfOtherParams, OTHER_PARAMS } from '../../paging/cursor.js'
import type { Position } from '../../paging/strategy.js'
import { checkParams, type WireParams } from '../../schema/check-params.js'
import { isObject } from '../../schema/readers.js'
import { hintForName } from '../../schema/nearest-name.js'
import { checkOptionNames, REQUEST_OPTIONS } from '../../transport/option-names.js'

const OPTIONS = [...REQUEST_OPTIONS, 'cursor', 'pollMs', 'pageSize', 'onError']

/** @throws {ConfigurationError} for an option that no follow has, nor this one of its `own`. */
export function checkFollowOptions(options: unknown, own: readonly string[]): void {
  checkOptionNames(options, [...OPTIONS, ...own])
}

/** @throws {InvalidParamsError} unless `value` is an integer within the bounds. */
export function checkInteger(
  endpoint: string,
  { name, value, least, most }: { name: string; value: number; least: number; most: number },
): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw invalid(endpoint, name, `must be an integer from ${least} to ${most}`)
}

/**
 * The checked parameters of a follow.
 * @param refused those of the endpoint that a follow cannot have, with the reason as the end of a sentence
 * @throws {InvalidParamsError} for those, for unknown ones with the nearest name, and for wrong values.
 */
export function checkFollowParams(
  { name, params: schema }: Endpoint,
  given: unknown,
  refused: Readonly<Record<string, string>>,
): WireParams {
  const known = Object.keys(schema.shape).filter((one) => !Object.hasOwn(refused, one))
  const wanted = refuseUnknownParams(name, given, known, refused)
  const wire = checkParams(name, schema, wanted)
  // What is left out for a follow may have a usual value.
  return Object.fromEntries(Object.entries(wire).filter(([one]) => known.includes(one)))
}

/** The parameters by their `known` names. @throws {InvalidParamsError} for others, with the nearest name or the reason. */
export function refuseUnknownParams(
  endpoint: string,
  given: unknown,
  known: readonly string[],
  refused: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  if (!isObject(given)) throw invalid(endpoint, '', 'the parameters must be an object')
  for (const one of Object.keys(given)) {
    if (known.includes(one) || one.startsWith('@') || given[one] === undefined) continue
    const reason = reasonFor(one, known, refused)
    throw invalid(endpoint, one, `is not a parameter of a follow; ${reason}`)
  }
  return Object.fromEntries(Object.entries(given).filter(([one]) => known.includes(one)))
}

function reasonFor(
  name: string,
  known: readonly string[],
  refused: Readonly<Record<string, string>>,
): string {
  if (Object.hasOwn(refused, name)) return refused[name] ?? ''
  return hintForName(name, known)
}

/**
 * The place of a cursor; `undefined` when there is none.
 * @throws {InvalidParamsError} when it is of something else, or was made with other parameters.
 */
export function readFollowCursor<At extends Position>(
  { endpoint, filter }: { endpoint: string; filter: string | undefined },
  cursor: unknown,
  parse: (position: Position) => At | undefined,
): At | undefined {
  if (cursor === undefined) return undefined
  if (!isCursor(cursor)) throw invalid(endpoint, 'cursor', 'must be what cursor() returned')
  if (cursor.endpoint !== endpoint)
    throw invalid(endpoint, 'cursor', `belongs to ${cursor.endpoint}`)
  if (isOfOtherParams(cursor, filter)) throw invalid(endpoint, 'cursor', OTHER_PARAMS)
  if (cursor.position === null) return undefined
  const position = parse(cursor.position)
  if (position !== undefined) return position
  throw invalid(endpoint, 'cursor.position', 'must be what cursor() of a follow returned')
}

/** What is wrong with a follow, before anything is sent. */
export function invalid(endpoint: string, path: string, problem: string): InvalidParamsError {
  return new InvalidParamsError({ endpoint, issues: [{ path, problem }] })
}
