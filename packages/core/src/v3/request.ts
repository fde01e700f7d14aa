import { writeQuery, type QueryValue } from '../endpoint/query.js'
import { InvalidParamsError, type ParamsIssue } from '../errors/params.js'
import { isObject } from '../schema/readers.js'
import { readCallOptions } from '../transport/call-options.js'
import type { ResponseMeta, Transport } from '../transport/transport.js'
import { readAnswer } from './answer.js'
import type { V3RequestOptions } from './call.js'

/** A request for a path that is not in the table. */
export type V3Request =
  | {
      method?: 'GET' | undefined
      /** Below `/api/v3`, as in `/staking/nominatorPools/pool`. */
      path: string
      params?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>> | undefined
    }
  | {
      method: 'POST'
      /** Below `/api/v3`, as in `/runGetMethod`. */
      path: string
      /** Sent as JSON. */
      params?: Readonly<Record<string, unknown>> | undefined
    }

/** Requests any path and answers its body, unchecked: long integers are texts of their digits. GET requests count as reads. */
export async function sendRequest(
  transport: Transport,
  request: V3Request,
  options: V3RequestOptions,
): Promise<unknown> {
  checkRequest(request)
  const { method = 'GET', path, params = {} } = request
  const { requestOptions, tellCaller } = readCallOptions<ResponseMeta>(options)
  const given = Object.fromEntries(Object.entries(params).filter(([, one]) => one !== undefined))
  const endpoint = path.slice(1)
  const { value, meta } = await transport.request(
    {
      api: 'v3',
      endpoint,
      method,
      path,
      ...(method === 'GET' ? { query: writeQuery(given) } : { body: given }),
      isRead: method === 'GET',
      classify: (answer) => readAnswer(endpoint, answer),
    },
    requestOptions,
  )
  tellCaller(meta)
  return value
}

/** @throws {InvalidParamsError} for what is no request: programs without types call it too. */
function checkRequest(request: unknown): void {
  const issues: ParamsIssue[] = []
  const { path, method, params } = isObject(request) ? request : {}
  if (typeof path !== 'string' || !/^\/[^?#]*$/.test(path)) {
    issues.push({ path: 'path', problem: 'must be a path that begins with / and has no query' })
  }
  if (method !== undefined && method !== 'GET' && method !== 'POST') {
    issues.push({ path: 'method', problem: 'must be GET or POST' })
  }
  if (params !== undefined && !isObject(params)) {
    issues.push({ path: 'params', problem: 'must be an object' })
  }
  if (issues.length > 0) throw new InvalidParamsError({ endpoint: 'request', issues })
}
