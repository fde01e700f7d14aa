import type { Endpoint } from '../endpoint/endpoint.js'
import { writeQuery } from '../endpoint/query.js'
import { InvalidParamsError } from '../errors/params.js'
import type { WireParams } from '../schema/check-params.js'
import { isObject } from '../schema/readers.js'

/** Characters of a query that servers and the proxies ahead of them take: they read 8 KiB of a request's first line. */
const LONGEST_QUERY = 7500

/**
 * The parameters of each request of a call. What is looked up each for itself goes in as many as it takes; all else
 * must fit one URL.
 * @throws {InvalidParamsError} when it does not, with how many would.
 */
export function splitLookup(endpoint: Endpoint, params: WireParams): WireParams[] {
  const { name, lookupBy, method, takesPost } = endpoint
  const length = queryLength(params)
  if (method === 'POST' || takesPost === true || length <= LONGEST_QUERY) return [params]
  const longest = lookupBy ?? longestList(params)
  const values: unknown = params[longest]
  if (!Array.isArray(values)) {
    const problem = `the parameters are too long for a URL: ${length} characters, ${LONGEST_QUERY} fit`
    throw new InvalidParamsError({ endpoint: name, issues: [{ path: '', problem }] })
  }
  const room = LONGEST_QUERY - queryLength({ ...params, [longest]: [] })
  const lengthOf = (value: unknown) => queryLength({ [longest]: value })
  const [first = [], ...rest] = partsOf(values, lengthOf, room)
  if (lookupBy !== undefined)
    return [first, ...rest].map((part) => ({ ...params, [longest]: part }))
  const fit = lengthOf(first[0]) > room ? 0 : first.length
  const problem = `has too many values for a URL: ${fit} of the ${values.length} fit; make several calls`
  throw new InvalidParamsError({ endpoint: name, issues: [{ path: longest, problem }] })
}

/** One answer of several: lists one after the other, maps as one. */
export function mergeAnswers(answers: readonly unknown[]): unknown {
  const merged: Record<string, unknown> = {}
  for (const [name, value] of answers.flatMap((answer) => Object.entries(fieldsOf(answer)))) {
    const before = merged[name]
    if (Array.isArray(before) && Array.isArray(value)) before.push(...(value as unknown[]))
    else if (isObject(before) && isObject(value)) Object.assign(before, value)
    else merged[name] = value ?? before
  }
  return merged
}

function fieldsOf(answer: unknown): object {
  return isObject(answer) ? answer : {}
}

/** Splits a list into parts whose values fit `room`. */
function partsOf(
  values: readonly unknown[],
  lengthOf: (value: unknown) => number,
  room: number,
): unknown[][] {
  const parts: unknown[][] = []
  let left = 0
  for (const value of values) {
    const length = lengthOf(value)
    const part = parts.at(-1)
    if (part === undefined || length > left) {
      parts.push([value])
      left = room - length
    } else {
      part.push(value)
      left -= length
    }
  }
  return parts
}

/** The name of the list that takes the most characters. */
function longestList(params: WireParams): string {
  const lists = Object.keys(params).filter((name) => Array.isArray(params[name]))
  const lengthOf = (name: string) => queryLength({ [name]: params[name] })
  return lists.reduce((longest, name) => (lengthOf(name) > lengthOf(longest) ? name : longest), '')
}

function queryLength(params: WireParams): number {
  return writeQuery(params).reduce(
    (sum, [name, value]) => sum + name.length + encodeURIComponent(value).length + 2,
    0,
  )
}
