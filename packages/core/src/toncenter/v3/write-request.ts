import { isObject } from '../../shared/is-object.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { writeQuery } from '../endpoint/raw-request.js'
import { InvalidParamsError } from '../errors/api.js'
import type { WireParams } from '../schema/params-object.js'
import type { TransportRequest } from '../transport/request.js'

/** Length of the values of a query, percent-encoded, that every proxy accepts. */
const MAX_GET_LENGTH = 2000
/** Length of a query that servers and their proxies accept: they read 8 KiB of a request's first line. */
const MAX_QUERY_LENGTH = 7500

/** Writes the request of a call. A query that is too long for a URL is sent with POST if the endpoint accepts that. */
export function writeRequest(
  { method, path, takesPost }: Endpoint,
  params: WireParams,
): Pick<TransportRequest, 'method' | 'path' | 'query' | 'body'> {
  if (method === 'POST') return { method, path, body: params }
  const query = writeQuery(params)
  const length = query.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (takesPost === true && length > MAX_GET_LENGTH) return { method: 'POST', path, body: params }
  return { method, path, query }
}

/**
 * Returns the parameters of each request of a call. The values of a lookup are split so that each request fits into a URL;
 * all other parameters must fit into one.
 * @throws {InvalidParamsError} with the number of values that fit.
 */
export function splitLookup(endpoint: Endpoint, params: WireParams): WireParams[] {
  const { name, lookupBy, method, takesPost } = endpoint
  const length = queryLength(params)
  if (method === 'POST' || takesPost === true || length <= MAX_QUERY_LENGTH) return [params]
  const longest = lookupBy ?? longestList(params)
  const values: unknown = params[longest]
  if (!Array.isArray(values)) {
    const problem = `the parameters are too long for a URL: ${length} characters, ${MAX_QUERY_LENGTH} fit`
    throw new InvalidParamsError({ endpoint: name, issues: [{ path: '', problem }] })
  }
  const room = MAX_QUERY_LENGTH - queryLength({ ...params, [longest]: [] })
  const lengthOf = (value: unknown) => queryLength({ [longest]: value })
  const [first = [], ...rest] = splitValues(values, lengthOf, room)
  if (lookupBy !== undefined) {
    return [first, ...rest].map((part) => ({ ...params, [longest]: part }))
  }
  const fit = lengthOf(first[0]) > room ? 0 : first.length
  const problem = `has too many values for a URL: ${fit} of the ${values.length} fit; make several calls`
  throw new InvalidParamsError({ endpoint: name, issues: [{ path: longest, problem }] })
}

/** Merges the responses of a split lookup: concatenates lists and merges maps. */
export function mergeResults(results: readonly unknown[]): unknown {
  const merged: Record<string, unknown> = {}
  for (const result of results) {
    for (const [name, value] of Object.entries(isObject(result) ? result : {})) {
      const before = merged[name]
      if (Array.isArray(before) && Array.isArray(value)) before.push(...(value as unknown[]))
      else if (isObject(before) && isObject(value)) Object.assign(before, value)
      else merged[name] = value ?? before
    }
  }
  return merged
}

/** Splits values into parts that fit `room`. */
function splitValues(
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
