import type { Clock } from '../../shared/clock.js'
import {
  createMethods,
  transportOf,
  type ClientOptions,
  type ClientMethod,
} from '../endpoint/client.js'
import type { RawRequest } from '../endpoint/raw-request.js'
import { createCall, sendRequest, type V3RequestOptions } from './call.js'
import type { V3EndpointName, V3Parameters, V3Result } from './endpoint-types.js'
import { v3Endpoints } from './endpoints/table.js'
import type { V3EndpointTypes } from './generated/types.js'
import { v3Decoders } from './generated/decoders.js'
import { createV3Paginators, type V3Paginators } from './paging/paginators.js'
import { openServer, type ServerCalls } from './server-calls.js'
import { createV3Watches, type V3Watches } from './watches.js'

/** The method of an endpoint. */
export type V3Method<Name extends V3EndpointName> = ClientMethod<
  V3Parameters<Name>,
  V3Result<Name>,
  V3RequestOptions
>

/**
 * One method for each path of API v3, named by the path: `/jetton/transfers` is `jettonTransfers`. Methods of lists have
 * `paginate`, and methods of lists with a time have `watch`. Servers of early 2026 lack validators and nominator pools.
 */
export type V3Methods = {
  // `keyof` without its alias, since editors show the docs of endpoints only then.
  readonly [Name in keyof V3EndpointTypes]: V3Method<Name> &
    (Name extends keyof V3Paginators ? { readonly paginate: V3Paginators[Name] } : unknown) &
    (Name extends keyof V3Watches ? { readonly watch: V3Watches[Name] } : unknown)
}

/**
 * Client of API v3. Names are as in the API; amounts, fees and lt are bigint, times and seqnos numbers, addresses and
 * hashes strings. Every method rejects with the errors of the transport and of the API.
 */
export interface V3Client extends V3Methods {
  /**
   * Requests a path without a method and returns the body, unchecked.
   * @throws {InvalidParamsError} for an invalid request.
   */
  request(request: RawRequest, options?: V3RequestOptions): Promise<unknown>
  /** The clock of the client's transport. */
  readonly clock: Clock
}

/** A shared transport, or the options to create one. */
export type V3ClientOptions = ClientOptions

/**
 * Creates a client of API v3.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @example
 * ```ts
 * import { createV3Client } from '@tonplug/core/toncenter'
 *
 * const v3 = createV3Client({ network: 'testnet' })
 * const { last } = await v3.masterchainInfo()
 * console.log(last.seqno)
 * ```
 */
export function createV3Client(options: V3ClientOptions = {}): V3Client {
  const transport = transportOf(options)
  const { clock } = transport
  const open = (): ServerCalls => openServer(transport)
  const methods = createMethods(v3Endpoints, createCall(transport, v3Decoders), {
    paginate: createV3Paginators(open),
    watch: createV3Watches({ open, clock }),
  })
  return {
    // One method for each name of the table, as V3Methods declares.
    ...(methods as V3Methods),
    request: (request, requestOptions = {}) => sendRequest(transport, request, requestOptions),
    clock,
  }
}
