import {
  createMethods,
  transportOf,
  type ClientOptions,
  type ClientMethod,
} from '../endpoint/client.js'
import type { RawRequest } from '../endpoint/raw-request.js'
import { optionalParam } from '../schema/param.js'
import { boolParam } from '../schema/params.js'
import { createCall, sendRequest, type V2RequestOptions } from './call.js'
import type { V2EndpointName, V2Parameters, V2Result } from './endpoint-types.js'
import { v2Endpoints } from './endpoints/table.js'
import type { V2EndpointTypes } from './generated/types.js'
import { createV2Paginators, type V2Paginators } from './paginators.js'

/** The method of an endpoint. */
export type V2Method<Name extends V2EndpointName> = ClientMethod<
  V2Parameters<Name>,
  V2Result<Name>,
  V2RequestOptions
>

/** One method for each path of API v2, named by the path. Methods of lists have `paginate`. */
export type V2Methods = {
  // `keyof` without its alias, since editors show the docs of endpoints only then.
  readonly [Name in keyof V2EndpointTypes]: V2Method<Name> &
    (Name extends keyof V2Paginators ? { readonly paginate: V2Paginators[Name] } : unknown)
}

/**
 * Client of API v2. Names are as in the API; amounts, fees and lt are bigint, times and seqnos numbers, addresses and
 * hashes strings. Every method rejects with the errors of the transport and of the API.
 */
export interface V2Client extends V2Methods {
  /**
   * Requests a path without a method and returns `result` of the body, unchecked.
   * @throws {InvalidParamsError} for an invalid request.
   */
  request(request: RawRequest, options?: V2RequestOptions): Promise<unknown>
}

/** A shared transport, or the options to create one, and options of API v2. */
export type V2ClientOptions = ClientOptions & {
  /** Sends calls through `/jsonRPC` instead of their own paths. @default false */
  jsonRpc?: boolean | undefined
}

/**
 * Creates a client of API v2.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @example
 * ```ts
 * import { createV2Client } from '@tonplug/core/toncenter'
 *
 * const v2 = createV2Client({ network: 'testnet' })
 * const { last } = await v2.getMasterchainInfo()
 * console.log(last.seqno)
 * ```
 */
export function createV2Client(options: V2ClientOptions = {}): V2Client {
  const transport = transportOf(options, { jsonRpc: optionalParam(boolParam) })
  const { jsonRpc = false } = options
  const methods = createMethods(v2Endpoints, createCall(transport, jsonRpc), {
    paginate: createV2Paginators(() => createCall(transport.sticky(), jsonRpc)),
  })
  return {
    // One method for each name of the table, as V2Methods declares.
    ...(methods as V2Methods),
    request: (request, requestOptions = {}) => sendRequest(transport, request, requestOptions),
  }
}
