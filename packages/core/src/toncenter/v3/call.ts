import { linkAbort } from '../../shared/abort.js'
import type { Call } from '../endpoint/client.js'
import { decodingOf } from '../endpoint/decode-result.js'
import type { ResultOf } from '../endpoint/endpoint.js'
import { writeRawRequest, type RawRequest } from '../endpoint/raw-request.js'
import type { Decoder } from '../schema/decoding.js'
import { checkParams, type WireParams } from '../schema/params-object.js'
import { readCallOptions, type RequestOptions } from '../transport/call-options.js'
import type { HttpResponse, ResponseMeta } from '../transport/request.js'
import type { Transport } from '../transport/transport.js'
import { readResponse, readResult } from './response.js'
import { mergeResults, splitLookup, writeRequest } from './write-request.js'

/**
 * Options of one call of API v3. `headers` may have headers of the index server: `X-No-Address-Book: true` and
 * `X-No-Metadata: true` leave these parts out of the response, `X-Actions-Version` selects the types of actions.
 */
export interface V3RequestOptions extends RequestOptions {
  /** Called with the metadata of the response before the call resolves; for a split lookup, of each response. */
  onResponse?: ((meta: ResponseMeta) => void) | undefined
}

export type V3Call = Call<V3RequestOptions>

/** @param decoders of the results, by the names of the endpoints that are called */
export function createCall(
  transport: Transport,
  decoders: Readonly<Record<string, Decoder>>,
): V3Call {
  return async (endpoint, given, options = {}) => {
    const { requestOptions, notifyCaller } = readCallOptions<ResponseMeta>(options)
    const { name, api = 'v3', isRead } = endpoint
    const checked = checkParams(name, endpoint.params, given ?? {})
    const decoding = decodingOf(endpoint, decoders)
    const send = async (params: WireParams, signal = requestOptions.signal) => {
      const classify = (response: HttpResponse) => readResult(response, { ...decoding, params })
      const { value, meta } = await transport.request(
        { api, endpoint: name, isRead, classify, ...writeRequest(endpoint, params) },
        { ...requestOptions, signal },
      )
      notifyCaller(meta)
      return value
    }
    const [params = checked, ...more] = splitLookup(endpoint, checked)
    const value =
      more.length === 0
        ? await send(params)
        : mergeResults(await sendAll([params, ...more], send, requestOptions.signal))
    // The endpoint's own decoder returned it through the transport, which has no types.
    return value as ResultOf<typeof endpoint>
  }
}

/** Sends all requests concurrently, within the rate limit. If one fails, the others are aborted. */
async function sendAll(
  parts: readonly WireParams[],
  send: (params: WireParams, signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown[]> {
  const controller = new AbortController()
  const unlink = linkAbort(signal, controller)
  try {
    return await Promise.all(parts.map((params) => send(params, controller.signal)))
  } finally {
    unlink()
    controller.abort()
  }
}

/** Requests any path and returns the body unchecked: long integers are strings of digits. */
export async function sendRequest(
  transport: Transport,
  request: RawRequest,
  options: V3RequestOptions,
): Promise<unknown> {
  const raw = writeRawRequest(request)
  const { requestOptions, notifyCaller } = readCallOptions<ResponseMeta>(options)
  const classify = (response: HttpResponse) => readResponse(raw.endpoint, response)
  const { value, meta } = await transport.request({ ...raw, api: 'v3', classify }, requestOptions)
  notifyCaller(meta)
  return value
}
