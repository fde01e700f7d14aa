import type { Endpoint, ParametersOf, ResultOf } from '../endpoint/endpoint.js'
import { checkParams, type WireParams } from '../schema/check-params.js'
import type { DriftListener } from '../schema/drift.js'
import { onAbort } from '../transport/abort.js'
import { readCallOptions } from '../transport/call-options.js'
import type { RequestOptions } from '../transport/options.js'
import type { HttpAnswer, ResponseMeta, Transport } from '../transport/transport.js'
import { readResult } from './decode.js'
import { v3Decoders } from './decoders.generated.js'
import type { V3EndpointName } from './endpoints/table.js'
import { mergeAnswers, splitLookup } from './lookup.js'
import { writeRequest } from './wire.js'

/**
 * Options of one call of API v3. Some headers of the index server go with `headers`: `X-No-Address-Book: true` and
 * `X-No-Metadata: true` leave these parts out of the answer, `X-Actions-Version` chooses the kinds of actions.
 */
export interface V3RequestOptions extends RequestOptions {
  /**
   * Called with how the answer came about, before the call resolves; for a look-up of so many accounts that it takes
   * several requests, with each of them.
   */
  onResponse?: ((meta: ResponseMeta) => void) | undefined
}

/** Calls endpoints of API v3. */
export type V3Call = <E extends Endpoint>(
  endpoint: E,
  params: ParametersOf<E> | undefined,
  options?: V3RequestOptions,
) => Promise<ResultOf<E>>

/** Makes what calls endpoints over a transport. */
export function createCall(transport: Transport): V3Call {
  return async (endpoint, given, options = {}) => {
    const { requestOptions, tellCaller } = readCallOptions<ResponseMeta>(options)
    const { name, isRead } = endpoint
    const checked = checkParams(name, endpoint.params, given ?? {})
    const onDrift: DriftListener = (path, problem) =>
      transport.reportDrift({ endpoint: name, path, problem })
    // Every endpoint is one of the table, whose names the decoders have.
    const decoder = v3Decoders[name as V3EndpointName]
    const send = async (params: WireParams, signal = requestOptions.signal) => {
      const classify = (answer: HttpAnswer) =>
        readResult(answer, { endpoint, decoder, params, onDrift })
      const { value, meta } = await transport.request(
        { api: 'v3', endpoint: name, isRead, classify, ...writeRequest(endpoint, params) },
        { ...requestOptions, signal },
      )
      tellCaller(meta)
      return value
    }
    const [params = checked, ...more] = splitLookup(endpoint, checked)
    const value =
      more.length === 0
        ? await send(params)
        : mergeAnswers(await sendAll([params, ...more], send, requestOptions.signal))
    // It came out of the endpoint's own schema, through the transport, which knows no types.
    return value as ResultOf<typeof endpoint>
  }
}

/** Sends all at once, within the rate limit. When one fails the others are ended. */
async function sendAll(
  parts: readonly WireParams[],
  send: (params: WireParams, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const stop = new AbortController()
  const forget = signal === undefined ? undefined : onAbort(signal, () => stop.abort(signal.reason))
  try {
    return await Promise.all(parts.map((params) => send(params, stop.signal)))
  } finally {
    forget?.()
    stop.abort()
  }
}
