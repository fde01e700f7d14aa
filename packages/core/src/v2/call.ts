import { checkParams, type WireParams } from '../schema/check-params.js'
import type { RequestOptions } from '../transport/options.js'
import type { HttpAnswer, ResponseMeta, Transport } from '../transport/transport.js'
import { sendArchival } from './archival.js'
import { decodeResult, type Decoded } from './decode.js'
import type { Endpoint, ParametersOf, ResultOf } from './endpoint.js'
import { openEnvelope } from './envelope.js'
import { writeRequest } from './wire.js'

/** How an answer of API v2 came about. */
export interface V2ResponseMeta extends ResponseMeta {
  /** The server's `@extra`: names the request in the server's own logs. Servers write it; it is no echo. */
  requestId: string | undefined
}

/** Options of one call of API v2. */
export interface V2RequestOptions extends RequestOptions {
  /** Called with how the answer came about, before the call resolves. */
  onResponse?: ((meta: V2ResponseMeta) => void) | undefined
}

/** Calls endpoints of API v2. */
export type V2Call = <E extends Endpoint>(
  endpoint: E,
  params: ParametersOf<E> | undefined,
  options?: V2RequestOptions,
) => Promise<ResultOf<E>>

/**
 * Makes what calls endpoints over a transport.
 * @param isJsonRpc whether calls go through `/jsonRPC`
 */
export function createCall(transport: Transport, isJsonRpc: boolean): V2Call {
  return async (endpoint, params, options = {}) => {
    const wireParams = checkParams(endpoint.name, endpoint.params, params ?? {})
    const decoded = await sendArchival(wireParams, (sent) =>
      send(transport, endpoint, sent, { isJsonRpc, options }),
    )
    // `decoded` came out of the endpoint's own schema, through the transport, which knows no types.
    return decoded as ResultOf<typeof endpoint>
  }
}

async function send(
  transport: Transport,
  endpoint: Endpoint,
  params: WireParams,
  { isJsonRpc, options }: { isJsonRpc: boolean; options: V2RequestOptions },
): Promise<unknown> {
  const { onResponse, ...requestOptions } = options
  const { name, isRead } = endpoint
  const classify = (answer: HttpAnswer) => {
    const opened = openEnvelope(name, answer)
    if (!('result' in opened)) return opened
    return decodeResult(endpoint, opened, (path, problem) =>
      transport.reportDrift({ endpoint: name, path, problem }),
    )
  }
  const { value, meta } = await transport.request(
    { api: 'v2', endpoint: name, isRead, classify, ...writeRequest(endpoint, params, isJsonRpc) },
    requestOptions,
  )
  // `classify` above made it.
  const { result, requestId } = value as Decoded
  onResponse?.({ ...meta, requestId })
  return result
}
