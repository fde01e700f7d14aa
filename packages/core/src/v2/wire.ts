import type { Endpoint } from '../endpoint/endpoint.js'
import { writeQuery } from '../endpoint/query.js'
import type { WireParams } from '../schema/check-params.js'
import type { TransportRequest } from '../transport/transport.js'
import { JSON_RPC_PATH, jsonRpcBody } from './json-rpc.js'

/** What of a request depends on the parameters and on the way they are sent. */
export type WireRequest = Pick<TransportRequest, 'method' | 'path' | 'query' | 'body'>

/** Servers take addresses of 8 KiB, the host included. Source: API facts, part 1.1. */
const LONGEST_QUERY = 7000

/**
 * Writes a call for its own path, or with `isJsonRpc` for the JSON-RPC entrance. A query that is too long for an address
 * goes there too: both servers have it, and only one takes POST for every path.
 */
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
  const query = writeQuery(params)
  if (new URLSearchParams(query).toString().length > LONGEST_QUERY) {
    return { method: 'POST', path: JSON_RPC_PATH, body: jsonRpcBody(name, params) }
  }
  return { method, path, query }
}
