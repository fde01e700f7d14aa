import type { Endpoint, ParametersOf, ResultOf } from '../endpoint/endpoint.js'
import { ConfigurationError } from '../errors/configuration.js'
import type { Clock } from '../runtime/clock.js'
import { checkOptionNames, TRANSPORT_OPTIONS } from '../transport/option-names.js'
import type { TransportOptions } from '../transport/options.js'
import { createTransport, type Transport } from '../transport/transport.js'
import { createCall, type V3RequestOptions } from './call.js'
import { v3Endpoints, type V3EndpointName, type V3Endpoints } from './endpoints/table.js'
import { createV3Follows, type V3Follows } from './follow/follows.js'
import type { PollCalls } from './follow/follow-source.js'
import { createV3Iterates, type V3Iterates } from './paging/iterates.js'
import { sendRequest, type V3Request } from './request.js'

/** What a method of the client takes, as in `V3Parameters<'jettonTransfers'>`. */
export type V3Parameters<Name extends V3EndpointName> = ParametersOf<V3Endpoints[Name]>

/** What a method of the client resolves to, as in `V3Result<'jettonTransfers'>`. */
export type V3Result<Name extends V3EndpointName> = ResultOf<V3Endpoints[Name]>

/** A method of the client; its parameters may be left out when none of them is required. */
export type V3Method<E extends Endpoint> =
  Record<never, never> extends ParametersOf<E>
    ? (params?: ParametersOf<E>, options?: V3RequestOptions) => Promise<ResultOf<E>>
    : (params: ParametersOf<E>, options?: V3RequestOptions) => Promise<ResultOf<E>>

/**
 * One method for every path of API v3, by the path's name: `/jetton/transfers` is `jettonTransfers`. Those that list
 * something can also walk over all of it, and those that list what happens can follow it.
 */
export type V3Methods = {
  // `keyof` stands here, not its alias, since an editor shows the endpoints' docstrings only then.
  readonly [Name in keyof V3Endpoints]: V3Method<V3Endpoints[Name]> &
    (Name extends keyof V3Iterates ? { readonly iterate: V3Iterates[Name] } : unknown) &
    (Name extends keyof V3Follows ? { readonly follow: V3Follows[Name] } : unknown)
}

/**
 * API v3. Names are those of the wire; amounts, fees and lt are bigint, times and seqnos numbers, addresses and hashes
 * texts. Every method rejects with the errors of the transport and of the API.
 */
export interface V3Client extends V3Methods {
  /**
   * Requests a path that has no method, and answers its body, unchecked.
   * @throws {InvalidParamsError} when `path` is none.
   */
  request(request: V3Request, options?: V3RequestOptions): Promise<unknown>
  /** What the client's transport measures time with. */
  readonly clock: Clock
}

/** A transport that is shared with another client; its options are its own. */
type GivenTransport = { transport: Transport } & {
  readonly [Name in keyof TransportOptions]?: never
}

/** A transport that is shared with another client, or what to make one of. */
export type V3ClientOptions = GivenTransport | (TransportOptions & { readonly transport?: never })

/**
 * A client of API v3.
 * @throws {ConfigurationError} when an option cannot work.
 * @example
 * ```ts
 * import { createV3Client } from '@tonplug/core'
 *
 * const v3 = createV3Client({ network: 'testnet' })
 * const { last } = await v3.masterchainInfo()
 * console.log(last.seqno)
 * ```
 */
export function createV3Client(options: V3ClientOptions = {}): V3Client {
  const { transport: given, ...own } = options
  // Beside a transport its options would do nothing.
  checkOptionNames(options, ['transport', ...(given === undefined ? TRANSPORT_OPTIONS : [])])
  // A client in its place would answer nothing to every call.
  if (given !== undefined && typeof given.sticky !== 'function') {
    const problem = 'is no transport; give what createTransport() returns'
    throw new ConfigurationError({ option: 'transport', problem })
  }
  const transport = given ?? createTransport(own)
  const call = createCall(transport)
  const open = () => createCall(transport.sticky())
  const openPoll = (): PollCalls => {
    const sticky = transport.sticky()
    return {
      call: createCall(sticky),
      readRaw: async (request, options) => sendRequest(sticky, request, options),
    }
  }
  const iterates = new Map<string, unknown>(Object.entries(createV3Iterates(open)))
  const follows = new Map<string, unknown>(
    Object.entries(createV3Follows({ open: openPoll, clock: transport.clock })),
  )
  const methods = Object.entries<Endpoint>(v3Endpoints).map(([name, endpoint]) => {
    const method = (params?: ParametersOf<Endpoint>, requestOptions?: V3RequestOptions) =>
      call(endpoint, params, requestOptions)
    const iterate = iterates.get(name)
    const follow = follows.get(name)
    return [
      name,
      Object.assign(method, {
        ...(iterate !== undefined && { iterate }),
        ...(follow !== undefined && { follow }),
      }),
    ]
  })
  return {
    // The table's names with a method of each: what V3Methods says, name by name.
    ...(Object.fromEntries(methods) as V3Methods),
    request: (request, requestOptions = {}) => sendRequest(transport, request, requestOptions),
    clock: transport.clock,
  }
}
