import { isTonplugError } from '../../shared/tonplug-error.js'
import type { Call } from '../endpoint/client.js'
import type { Endpoint, ResultOf } from '../endpoint/endpoint.js'
import { writeRawRequest, type RawRequest } from '../endpoint/raw-request.js'
import { RateLimitError, RequestTimeoutError } from '../errors/http.js'
import type { OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { stringParam } from '../schema/params.js'
import { checkParams, type WireParams } from '../schema/params-object.js'
import { callOptions, readCallOptions, type RequestOptions } from '../transport/call-options.js'
import type {
  Classified,
  HttpResponse,
  ResponseMeta,
  TransportRequest,
} from '../transport/request.js'
import type { Transport } from '../transport/transport.js'
import { sendArchival } from './archival.js'
import { accounts } from './endpoints/accounts.js'
import type { V2EndpointName } from './endpoints/table.js'
import { v2Decoders } from './generated/decoders.js'
import { openEnvelope, readResult, type Result } from './response.js'
import { JSON_RPC_PATH, writeRequest } from './write-request.js'

/** Metadata of a response of API v2. */
export interface V2ResponseMeta extends ResponseMeta {
  /** The `@extra` of the response: the one that was sent, or one that the server created. */
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

/** Checks the options of a call and separates those of the transport. @throws {ConfigurationError} */
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
    const { name, whenUnused } = endpoint
    const { result, meta } = await transport.together(name, requestOptions, (request) => {
      const send = async (one: Endpoint, sent: WireParams): Promise<ResultWithMeta> => {
        const response = await request(requestTo(transport, one, sent, isJsonRpc))
        return withMeta(response)
      }
      return sendArchival(wireParams, {
        send: (sent) => send(endpoint, sent),
        async resultIfUnused() {
          const { address, lt } = wireParams
          if (whenUnused === undefined || lt !== undefined) return undefined
          const unused = await metaIfUnused(send(accounts.getAddressInformation, { address }))
          return unused && { result: whenUnused(), meta: unused }
        },
      })
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
 * Returns the metadata of the state of an account without transactions; `undefined` if it has one, or if its state is
 * unavailable.
 * @throws {RateLimitError} {@link RequestTimeoutError}, which the call itself would throw, and the signal's reason.
 */
async function metaIfUnused(state: Promise<ResultWithMeta>): Promise<V2ResponseMeta | undefined> {
  try {
    const { result, meta } = await state
    // That endpoint's decoder returned it.
    const account = result as ResultOf<typeof accounts.getAddressInformation>
    return account.last_transaction_id.lt === 0n ? meta : undefined
  } catch (error) {
    const isOfCall = error instanceof RateLimitError || error instanceof RequestTimeoutError
    if (isTonplugError(error) && !isOfCall) return undefined
    throw error
  }
}

function requestTo(
  transport: Transport,
  endpoint: Endpoint,
  params: WireParams,
  isJsonRpc: boolean,
): TransportRequest {
  const { name, isRead } = endpoint
  // Every endpoint is in the table, whose names the decoders have.
  const decoder = v2Decoders[name as V2EndpointName]
  const onDrift = (path: string, problem: string): void =>
    transport.reportDrift({ endpoint: name, path, problem })
  const request = writeRequest(endpoint, params, isJsonRpc)
  const reading = { endpoint, decoder, onDrift, isJsonRpc: request.path === JSON_RPC_PATH }
  const classify = (response: HttpResponse) => readResult(response, reading)
  return { api: 'v2', endpoint: name, isRead, classify, ...request }
}

/** Requests any path and returns `result` of the body unchecked: long integers are strings of digits. */
export async function sendRequest(
  transport: Transport,
  request: RawRequest,
  options: V2RequestOptions,
): Promise<unknown> {
  const { requestOptions, requestId, notifyCaller } = readV2Options(options)
  const raw = writeRawRequest(request, { '@extra': requestId })
  const classify = (response: HttpResponse): Classified => {
    const opened = openEnvelope({ name: raw.endpoint }, response, raw.path === JSON_RPC_PATH)
    return 'result' in opened ? { kind: 'ok', value: opened } : opened
  }
  const response = await transport.request({ ...raw, api: 'v2', classify }, requestOptions)
  const { result, meta } = withMeta(response)
  notifyCaller(meta)
  return result
}
