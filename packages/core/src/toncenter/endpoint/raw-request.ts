import { objectParam, oneOfParam } from '../schema/options.js'
import { createParam, optionalParam } from '../schema/param.js'
import { checkParams, paramsObject, type WireParams } from '../schema/params-object.js'
import type { TransportRequest } from '../transport/request.js'

export type QueryValue = string | number | bigint | boolean

/** A request of a path without a method. */
export type RawRequest =
  | {
      method?: 'GET' | undefined
      /** The path below `/api/v2` or `/api/v3`, for example `/getMasterchainInfo`. */
      path: string
      params?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>> | undefined
    }
  | {
      method: 'POST'
      /** The path below `/api/v2` or `/api/v3`, for example `/runGetMethod`. */
      path: string
      /** Sent as JSON. */
      params?: Readonly<Record<string, unknown>> | undefined
    }

// Callers without types may pass any value.
const rawRequest = paramsObject({
  method: optionalParam(oneOfParam(['GET', 'POST'])),
  path: createParam<string, string>('a path that begins with / and has no query', (path) =>
    typeof path === 'string' && /^\/[^?#]*$/.test(path) ? path : undefined,
  ),
  params: optionalParam(objectParam('an object')),
})

/**
 * Writes a raw request. GET requests count as reads.
 * @param extra additional parameters
 * @throws {InvalidParamsError} for an invalid request.
 */
export function writeRawRequest(
  request: RawRequest,
  extra: Readonly<Record<string, unknown>> = {},
): Omit<TransportRequest, 'api' | 'classify'> {
  checkParams('request', rawRequest, request)
  const { method = 'GET', path, params } = request
  const entries = Object.entries({ ...extra, ...params }).filter(([, one]) => one !== undefined)
  const given = Object.fromEntries(entries)
  const isRead = method === 'GET'
  const content = isRead ? { query: writeQuery(given) } : { body: given }
  return { endpoint: path.slice(1), method, path, isRead, ...content }
}

/** Writes the pairs of a query; a list becomes several pairs with one name. */
export function writeQuery(params: WireParams): [string, string][] {
  return Object.entries(params).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.map((one): [string, string] => [name, String(one)])
  })
}
