import type { Chain } from '../chain/chain.js'
import type { ApiReply, ApiRequest, ApiServer, ServedApi } from '../server/http-server.js'
import { MessageRejectedError } from '../chain/message-rejected-error.js'
import { HttpError } from '../server/http-error.js'
import { describeRejection } from './messages.js'
import { methods } from './methods.js'
import { toPython, writeJson } from './python.js'
import type { MethodCall, V2Dialect } from './method-call.js'
import { UnsupportedEntryError } from './stack.js'
import { v2Endpoints } from '@tonplug/core/internal'

type Params = MethodCall['params']
type MethodName = keyof typeof methods

/** Serves API v2 over a chain, including `/jsonRPC`. */
export function mountV2Api(server: ApiServer, chain: Chain, dialect: V2Dialect): ServedApi {
  return server.mount('/api/v2', async (request) => {
    const { path, method, body } = request
    if (method !== 'GET' && method !== 'POST') return failure(dialect, 405, 'method not allowed')
    if (path !== '/jsonRPC') return callByPath(chain, dialect, request)
    if (method === 'GET') return failure(dialect, 405, 'method not allowed')
    const { method: name, params, id } = body
    if (params !== undefined && typeof params !== 'object') {
      return failure(dialect, 422, 'failed to parse post request: params must be an object')
    }
    const reply = await callMethod(chain, dialect, String(name), (params ?? {}) as Params)
    if (dialect === 'cpp' || reply.status !== undefined) return reply
    const { ok, result } = reply.body as { ok: true; result: unknown }
    return { body: writeJson({ ok, result, id: String(id), jsonrpc: '2.0' }) }
  })
}

async function callByPath(
  chain: Chain,
  dialect: V2Dialect,
  { path, method, query, body }: ApiRequest,
): Promise<ApiReply> {
  const name = path.slice(1)
  const endpoint = endpointOf(name, dialect)
  if (endpoint === undefined) return failure(dialect, 404, 'Not Found')
  const isAllowed = method === endpoint.method || (dialect === 'cpp' && method === 'POST')
  if (!isAllowed) return failure(dialect, 405, 'method not allowed')
  const reply = await callMethod(
    chain,
    dialect,
    name,
    method === 'GET' ? readQuery(query, endpoint.name) : body,
  )
  return dialect === 'cpp' ? reply : { ...reply, body: writeJson(reply.body) }
}

async function callMethod(
  chain: Chain,
  dialect: V2Dialect,
  name: string,
  params: Params,
): Promise<ApiReply> {
  const endpoint = endpointOf(name, dialect)
  if (endpoint === undefined) {
    return dialect === 'cpp'
      ? failure(dialect, 404, 'Not Found')
      : failure(dialect, 422, 'Unknown method')
  }
  // The Python server ignores unknown parameters.
  const unknown = Object.keys(params).find((param) => !isKnown(endpoint.name, param))
  if (dialect === 'cpp' && unknown !== undefined) {
    return failure(dialect, 422, `failed to parse post request: unknown field ${unknown}`)
  }
  try {
    const result = await methods[endpoint.name]({ chain, dialect, params })
    if (dialect === 'python') return { body: { ok: true, result: toPython(result, chain.now) } }
    return { body: { ok: true, result, '@extra': `${chain.now}:_:0.004` } }
  } catch (error) {
    if (error instanceof HttpError) return failure(dialect, error.status, error.message)
    if (error instanceof UnsupportedEntryError) return failure(dialect, 542, error.message)
    if (error instanceof MessageRejectedError) {
      return failure(dialect, 500, describeRejection(error))
    }
    throw error
  }
}

/** Returns the endpoint of a name; undefined when the server does not have it. */
function endpointOf(name: string, dialect: V2Dialect) {
  if (!isMethod(name)) return undefined
  const endpoint = v2Endpoints[name]
  if (endpoint.servers !== undefined && endpoint.servers !== dialect) return undefined
  return { name, method: endpoint.method }
}

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name)
}

/** Reads query parameters: a repeated one is a list, and an unknown one is ignored. */
function readQuery(query: URLSearchParams, endpoint: MethodName): Params {
  const names = [...new Set(query.keys())].filter((name) => isKnown(endpoint, name))
  return Object.fromEntries(
    names.map((name) => {
      const [value, ...others] = query.getAll(name)
      return [name, others.length === 0 ? value : [value, ...others]]
    }),
  )
}

function isKnown(endpoint: MethodName, param: string): boolean {
  return Object.hasOwn(v2Endpoints[endpoint].params.shape, param)
}

function failure(dialect: V2Dialect, code: number, error: string): ApiReply {
  const body = { ok: false, error, code }
  return { status: code, body: dialect === 'cpp' ? { ...body, '@extra': '_' } : body }
}
