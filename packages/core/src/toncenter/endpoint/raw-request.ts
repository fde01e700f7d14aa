import { objectParam, oneOfParam } from '../schema/options.js'
import { createParam, optionalParam } from '../schema/param.js'
import { checkParams, paramsObject } from '../schema/params-object.js'
import type { TransportRequest } from '../transport/request.js'
import { writeQuery, type QueryValue } from './query.js'

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
