import { RateLimitError, TimeoutError } from '../errors/http.js'
import { isTonplugError } from '../errors/tonplug-error.js'
import { checkParams, type WireParams } from '../schema/check-params.js'
import type { DriftListener } from '../schema/drift.js'
import { readCallOptions } from '../transport/call-options.js'
import type { RequestOptions } from '../transport/options.js'
import type {
  HttpAnswer,
  ResponseMeta,
  Transport,
  TransportRequest,
} from '../transport/transport.js'
import { sendArchival } from './archival.js'
import { readResult, type Result } from './decode.js'
import { v2Decoders } from './decoders.generated.js'
import type { Endpoint, ParametersOf, ResultOf } from '../endpoint/endpoint.js'
import { accounts } from './endpoints/accounts.js'
import type { V2EndpointName } from './endpoints/table.js'
import { JSON_RPC_PATH } from './json-rpc.js'
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
    const { requestOptions, tellCaller } = readCallOptions<V2ResponseMeta>(options)
    const wireParams = checkParams(endpoint.name, endpoint.params, params ?? {})
    const { name } = endpoint
    const answered = await transport.together(name, requestOptions, (ask) => {
      const sendTo = async (one: Endpoint, sent: WireParams): Promise<Answered> => {
        const { value, meta } = await ask(requestTo(transport, one, sent, isJsonRpc))
        // `classify` made it.
        const { result, requestId } = value as Result
        return { result, meta: { ...meta, requestId } }
      }
      return sendArchival(wireParams, {
        send: (sent) => sendTo(endpoint, sent),
        async answerUnused() {
          const { address, lt } = wireParams
          if (endpoint.whenUnused === undefined || lt !== undefined) return undefined
          const meta = await whenUnused(sendTo(accounts.getAddressInformation, { address }))
          return meta === undefined ? undefined : { result: endpoint.whenUnused(), meta }
        },
      })
    })
    tellCaller(answered.meta)
    // It came out of the endpoint's own schema, through the transport, which knows no types.
    return answered.result as ResultOf<typeof endpoint>
  }
}

/** A result, and how it came about. */
interface Answered {
  result: unknown
  meta: V2ResponseMeta
}

/**
 * How it came about that the account has no transaction; `undefined` when it has one, or its state cannot be had.
 * @throws {RateLimitError} {@link TimeoutError}, which the call itself would have met, and the signal's reason.
 */
async function whenUnused(state: Promise<Answered>): Promise<V2ResponseMeta | undefined> {
  try {
    const { result, meta } = await state
    // It came out of that endpoint's schema.
    const account = result as ResultOf<typeof accounts.getAddressInformation>
    return account.last_transaction_id.lt === 0n ? meta : undefined
  } catch (error) {
    const isOfCall = error instanceof RateLimitError || error instanceof TimeoutError
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
  const onDrift: DriftListener = (path, problem) =>
    transport.reportDrift({ endpoint: name, path, problem })
  // Every endpoint is one of the table, whose names the decoders have.
  const decoder = v2Decoders[name as V2EndpointName]
  const request = writeRequest(endpoint, params, isJsonRpc)
  const reading = { endpoint, isJsonRpc: request.path === JSON_RPC_PATH, decoder, onDrift }
  const classify = (answer: HttpAnswer) => readResult(answer, reading)
  return { api: 'v2', endpoint: name, isRead, classify, ...request }
}
