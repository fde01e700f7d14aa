import { isTonplugError } from '../../shared/tonplug-error.js'
import type { Call } from '../endpoint/client.js'
import { decodingOf } from '../endpoint/decode-result.js'
import type { Endpoint, ResultOf } from '../endpoint/endpoint.js'
import { writeQuery, writeRawRequest, type RawRequest } from '../endpoint/raw-request.js'
import { isApiError } from '../errors/api.js'
import { RateLimitError, RequestTimeoutError } from '../errors/http.js'
import type { OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { stringParam } from '../schema/params.js'
import { checkParams, type WireParams } from '../schema/params-object.js'
import { callOptions, readCallOptions, type RequestOptions } from '../transport/call-options.js'
import type { HttpResponse, ResponseMeta, TransportRequest } from '../transport/request.js'
import type { Transport } from '../transport/transport.js'
import { accounts } from './endpoints/accounts.js'
import { v2Decoders } from './generated/decoders.js'
import { openEnvelope, readResult, type Result } from './response.js'

const JSON_RPC_PATH = '/jsonRPC'

/** Servers accept URLs of 8 KiB, including the host. Source: API facts, part 1.1. */
const MAX_QUERY_LENGTH = 7000

/** Metadata of a response of API v2. */
export interface V2ResponseMeta extends ResponseMeta {
  /** The `@extra` of the response: as sent, or created by the server. */
  requestId: string | undefined
}

/** Options of one call of API v2. */
export interface V2RequestOptions extends RequestOptions {
  /**
   * Sent as `@extra`, which identifies the request: in the body of POST and JSON-RPC requests, otherwise in the query.
   * According to the API description the response contains it; it is then `requestId` of {@link V2ResponseMeta} and in the
   * details of an error. Some servers create their own, and the C++ server responds to it in a body with 422.
   */
  requestId?: string | undefined
  /** Called with the metadata of the response before the call resolves. */
  onResponse?: ((meta: V2ResponseMeta) => void) | undefined
}

const v2Options: OptionShape<V2RequestOptions> = {
  ...callOptions,
  requestId: optionalParam(stringParam),
}

/** Checks the options of a call and separates the options of the transport. @throws {ConfigurationError} */
function readV2Options(options: V2RequestOptions) {
  const { requestOptions, notifyCaller } = readCallOptions<V2ResponseMeta, V2RequestOptions>(
    options,
    v2Options,
  )
  const { requestId, ...ofTransport } = requestOptions
  return { requestId, requestOptions: ofTransport, notifyCaller }
}

export type V2Call = Call<V2RequestOptions>

interface ResultWithMeta {
  result: unknown
  meta: V2ResponseMeta
}

type Send = (endpoint: Endpoint, params: WireParams) => Promise<ResultWithMeta>

/**
 * Creates the function that calls endpoints over a transport.
 * @param isJsonRpc `true` to send calls through `/jsonRPC`
 */
export function createCall(transport: Transport, isJsonRpc: boolean): V2Call {
  return async (endpoint, params, options = {}) => {
    const { requestOptions, requestId, notifyCaller } = readV2Options(options)
    const wireParams: WireParams = {
      ...checkParams(endpoint.name, endpoint.params, params ?? {}),
      ...(requestId !== undefined && { '@extra': requestId }),
    }
    const { result, meta } = await transport.together(endpoint.name, requestOptions, (request) => {
      const send: Send = async (one, sent) =>
        withMeta(await request(requestTo(one, sent, isJsonRpc)))
      return sendArchival(send, endpoint, wireParams)
    })
    notifyCaller(meta)
    // The endpoint's own decoder returned it through the transport, which has no types.
    return result as ResultOf<typeof endpoint>
  }
}

function withMeta({ value, meta }: { value: unknown; meta: ResponseMeta }): ResultWithMeta {
  // `classify` created it.
  const { result, requestId } = value as Result
  return { result, meta: { ...meta, requestId } }
}

/**
 * Sends a call; with `archival: 'auto'`, again to archival nodes if other nodes do not go back far enough. Some servers
 * respond to an unused account as to missing history.
 */
async function sendArchival(
  send: Send,
  endpoint: Endpoint,
  params: WireParams,
): Promise<ResultWithMeta> {
  const { archival, ...rest } = params
  const isAuto = archival === 'auto'
  try {
    return await send(endpoint, isAuto ? rest : params)
  } catch (error) {
    if (!isApiError(error, 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE')) throw error
    const unused = await resultIfUnused(send, endpoint, params)
    if (unused !== undefined) return unused
    if (!isAuto) throw error
    return await send(endpoint, { ...rest, archival: true })
  }
}

/**
 * Returns the result for an account without transactions; `undefined` if it has one, if its state is unavailable, or if the
 * call is not about its newest transactions.
 * @throws {RateLimitError} {@link RequestTimeoutError}, which the call itself would throw, and the signal's reason.
 */
async function resultIfUnused(
  send: Send,
  { whenUnused }: Endpoint,
  { address, lt }: WireParams,
): Promise<ResultWithMeta | undefined> {
  if (whenUnused === undefined || lt !== undefined) return undefined
  try {
    const { result, meta } = await send(accounts.getAddressInformation, { address })
    // That endpoint's decoder returned it.
    const account = result as ResultOf<typeof accounts.getAddressInformation>
    return account.last_transaction_id.lt === 0n ? { result: whenUnused(), meta } : undefined
  } catch (error) {
    const isOfCall = error instanceof RateLimitError || error instanceof RequestTimeoutError
    if (isTonplugError(error) && !isOfCall) return undefined
    throw error
  }
}

function requestTo(endpoint: Endpoint, params: WireParams, isJsonRpc: boolean): TransportRequest {
  const { name, isRead } = endpoint
  const request = writeRequest(endpoint, params, isJsonRpc)
  const decoding = decodingOf(endpoint, v2Decoders)
  const isSentAsJsonRpc = request.path === JSON_RPC_PATH
  const classify = (response: HttpResponse) =>
    readResult(response, { ...decoding, isJsonRpc: isSentAsJsonRpc })
  return { api: 'v2', endpoint: name, isRead, classify, ...request }
}

/**
 * Writes the request of a call for its own path, or with `isJsonRpc` for `/jsonRPC`. A query that is too long for a URL is
 * also sent there: both servers have it, and only one accepts POST for every path.
 */
function writeRequest(
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

/** Requests any path and returns `result` of the body unchecked: long integers are strings of digits. */
export async function sendRequest(
  transport: Transport,
  request: RawRequest,
  options: V2RequestOptions,
): Promise<unknown> {
  const { requestOptions, requestId, notifyCaller } = readV2Options(options)
  const raw = writeRawRequest(request, { '@extra': requestId })
  const classify = (response: HttpResponse) =>
    openEnvelope({ name: raw.endpoint }, response, raw.path === JSON_RPC_PATH)
  const response = await transport.request({ ...raw, api: 'v2', classify }, requestOptions)
  const { result, meta } = withMeta(response)
  notifyCaller(meta)
  return result
}
