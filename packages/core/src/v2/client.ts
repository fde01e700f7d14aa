import { checkOptionNames, TRANSPORT_OPTIONS } from '../transport/option-names.js'
import { createTransport } from '../transport/transport.js'
import type { TransportOptions } from '../transport/options.js'
import type { Transport } from '../transport/transport.js'
import { createCall, type V2RequestOptions } from './call.js'
import type { Endpoint, ParametersOf, ResultOf } from '../endpoint/endpoint.js'
import { v2Endpoints, type V2EndpointName, type V2Endpoints } from './endpoints/table.js'
import { createV2Iterates, type V2Iterates } from './paging.js'
import { sendRequest, type V2Request } from './request.js'

/** What a method of the client takes, as in `V2Parameters<'getTransactions'>`. */
export type V2Parameters<Name extends V2EndpointName> = ParametersOf<V2Endpoints[Name]>

/** What a method of the client resolves to, as in `V2Result<'getTransactions'>`. */
export type V2Result<Name extends V2EndpointName> = ResultOf<V2Endpoints[Name]>

/** A method of the client; its parameters may be left out when none of them is required. */
export type V2Method<E extends Endpoint> =
  Record<never, never> extends ParametersOf<E>
    ? (params?: ParametersOf<E>, options?: V2RequestOptions) => Promise<ResultOf<E>>
    : (params: ParametersOf<E>, options?: V2RequestOptions) => Promise<ResultOf<E>>

/** One method for every path of API v2, by the path's name. Those that list something can also walk over all of it. */
export type V2Methods = {
  // `keyof` stands here, not its alias, since an editor shows the endpoints' docstrings only then.
  readonly [Name in keyof V2Endpoints]: V2Method<V2Endpoints[Name]> &
    (Name extends keyof V2Iterates ? { readonly iterate: V2Iterates[Name] } : unknown)
}

/**
 * API v2. Names are those of the wire; amounts, fees and lt are bigint, times and seqnos numbers, addresses and hashes
 * texts. Every method rejects with the errors of the transport and of the API.
 */
export interface V2Client extends V2Methods {
  /**
   * Requests a path that has no method, and answers what stands under `result`, unchecked.
   * @throws {InvalidParamsError} when `path` is none.
   */
  request(request: V2Request, options?: V2RequestOptions): Promise<unknown>
}

interface OwnOptions {
  /** Whether calls go through `/jsonRPC` in place of their own paths. @default false */
  jsonRpc?: boolean | undefined
}

/** A transport that is shared with another client; its options are its own. */
type GivenTransport = { transport: Transport } & {
  readonly [Name in keyof TransportOptions]?: never
}

/** A transport that is shared with another client, or what to make one of. */
export type V2ClientOptions = OwnOptions &
  (GivenTransport | (TransportOptions & { readonly transport?: never }))

/**
 * A client of API v2.
 * @throws {ConfigurationError} when an option cannot work.
 * @example
 * ```ts
 * import { createV2Client } from '@tonplug/core'
 *
 * const v2 = createV2Client({ network: 'testnet' })
 * const { last } = await v2.getMasterchainInfo()
 * console.log(last.seqno)
 * ```
 */
export function createV2Client(options: V2ClientOptions = {}): V2Client {
  const { jsonRpc = false, transport: given, ...own } = options
  // Beside a transport its options would do nothing.
  const ofTransport = given === undefined ? TRANSPORT_OPTIONS : []
  checkOptionNames(options, ['transport', 'jsonRpc', ...ofTransport])
  const transport = given ?? createTransport(own)
  const call = createCall(transport, jsonRpc)
  const iterates = new Map<string, unknown>(
    Object.entries(createV2Iterates(() => createCall(transport.sticky(), jsonRpc))),
  )
  const methods = Object.entries<Endpoint>(v2Endpoints).map(([name, endpoint]) => {
    const method = (params?: ParametersOf<Endpoint>, requestOptions?: V2RequestOptions) =>
      call(endpoint, params, requestOptions)
    const iterate = iterates.get(name)
    return [name, iterate === undefined ? method : Object.assign(method, { iterate })]
  })
  return {
    // The table's names with a method of each: what V2Methods says, name by name.
    ...(Object.fromEntries(methods) as V2Methods),
    request: (request, requestOptions = {}) => sendRequest(transport, request, requestOptions),
  }
}
