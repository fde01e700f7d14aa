import type { Endpoint } from '../endpoint/endpoint.js'
import { writeQuery } from '../endpoint/query.js'
import type { WireParams } from '../schema/params-object.js'
import type { TransportRequest } from '../transport/request.js'

export const JSON_RPC_PATH = '/jsonRPC'

/** Servers accept URLs of 8 KiB, including the host. Source: API facts, part 1.1. */
const MAX_QUERY_LENGTH = 7000

/**
 * Writes the request of a call for its own path, or with `isJsonRpc` for `/jsonRPC`. A query that is too long for a URL is
 * also sent there: both servers have it, and only one accepts POST for every path.
 */
export function writeRequest(
  endpoint: Endpoint,
  params: WireParams,
  isJsonRpc: boolean,
): Pick<TransportRequest, 'method' | 'path' | 'query' | 'body'> {
  const { name, method, path } = endpoint
  if (path === JSON_RPC_PATH) return { method, path, body: { ...jsonRpcBody('', {}), ...params } }
  const asJsonRpc = () =>
    ({ method: 'POST', path: JSON_RPC_PATH, body: jsonRpcBody(name, params) }) as const
  if (isJsonRpc) return asJsonRpc()
  if (method === 'POST') return { method, path, body: params }
  const query = writeQuery(params)
  const isTooLong = new URLSearchParams(query).toString().length > MAX_QUERY_LENGTH
  return isTooLong ? asJsonRpc() : { method, path, query }
}

/**
 * Returns the body of a JSON-RPC request. The id is a string, since the Python server accepts only strings, and constant:
 * the C++ server does not return it, so a response belongs to its own HTTP exchange, and identical calls stay identical.
 * `params` must be an object without `@extra`. Source: API facts, part 1.3.
 */
function jsonRpcBody(method: string, { '@extra': extra, ...params }: WireParams): WireParams {
  return { jsonrpc: '2.0', id: '1', method, params, '@extra': extra }
}
