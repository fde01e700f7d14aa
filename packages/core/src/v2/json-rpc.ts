import type { WireParams } from '../schema/check-params.js'

/** The path of the JSON-RPC entrance. */
export const JSON_RPC_PATH = '/jsonRPC'

/**
 * The body of a JSON-RPC request. The id is a text, since the Python server answers texts only, and always the same:
 * the C++ server does not send it back, so an answer belongs to the request of its own HTTP exchange, and identical
 * calls stay identical. `params` must be an object. Source: API facts, part 1.3.
 */
export function jsonRpcBody(method: string, params: WireParams): WireParams {
  return { jsonrpc: '2.0', id: '1', method, params }
}
