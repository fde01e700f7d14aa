import type { WireParams } from '../schema/check-params.js'
import type { TransportRequest } from '../transport/transport.js'
import type { Endpoint } from './endpoint.js'
import { JSON_RPC_PATH, jsonRpcBody } from './json-rpc.js'

/** What of a request depends on the parameters and on the way they are sent. */
export type WireRequest = Pick<TransportRequest, 'method' | 'path' | 'query' | 'body'>

/** Writes a call for its own path, or with `isJsonRpc` for the JSON-RPC entrance. */
export function writeRequest(
  endpoint: Endpoint,
  params: WireParams,
  isJsonRpc: boolean,
): WireRequest {
  const { name, method, path } = endpoint
  if (path === JSON_RPC_PATH) {
    return { method, path, body: { ...jsonRpcBody('', {}), ...params } }
  }
  if (isJsonRpc) return { method: 'POST', path: JSON_RPC_PATH, body: jsonRpcBody(name, params) }
  if (method === 'POST') return { method, path, body: params }
  return { method, path, query: writeQuery(params) }
}

/** Writes a query: a list repeats its name. */
export function writeQuery(params: WireParams): [string, string][] {
  return Object.entries(params).flatMap(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.map((one): [string, string] => [name, String(one)])
  })
}
