import { checkOptions, objectParam } from '../schema/options.js'
import { optionalParam, type Param } from '../schema/param.js'
import { transportOptions, type TransportOptions } from '../transport/options.js'
import { openTransport, type Transport } from '../transport/transport.js'
import type { Endpoint, ParametersOf, ResultOf } from './endpoint.js'

export type SharedTransport = { transport: Transport } & {
  readonly [Name in keyof TransportOptions]?: never
}

/** A shared transport, or the options to create one. */
export type ClientOptions = SharedTransport | (TransportOptions & { readonly transport?: never })

// Callers without types may pass a client instead, whose calls would return nothing.
const sharedTransport = {
  transport: optionalParam(objectParam('a transport from createTransport()', 'request', 'sticky')),
}

/**
 * Returns the shared transport, or creates one from the options.
 * @param own the client's own options, with their checks
 * @throws {ConfigurationError} for an unknown or invalid option. Beside a transport, its options are unknown.
 */
export function transportOf(
  options: ClientOptions,
  own: Readonly<Record<string, Param>> = {},
): Transport {
  const { transport } = options
  const ofTransport = transport === undefined ? transportOptions : {}
  checkOptions({ ...ofTransport, ...sharedTransport, ...own }, options)
  return transport ?? openTransport(options)
}

export type Call<Options> = <E extends Endpoint>(
  endpoint: E,
  params: ParametersOf<E> | undefined,
  options?: Options,
) => Promise<ResultOf<E>>

/** A method of a client. The parameters may be left out if none is required. */
export type ClientMethod<Parameters, Result, Options> =
  Record<never, never> extends Parameters
    ? (params?: Parameters, options?: Options) => Promise<Result>
    : (params: Parameters, options?: Options) => Promise<Result>

/**
 * Creates a method for each endpoint.
 * @param extras functions to attach to methods, for example `paginate`, by endpoint
 */
export function createMethods<Options>(
  endpoints: Readonly<Record<string, Endpoint>>,
  call: Call<Options>,
  extras: Readonly<Record<string, object>>,
): Record<string, unknown> {
  const methods = Object.entries(endpoints).map(([name, endpoint]) => {
    const method = (params?: ParametersOf<Endpoint>, options?: Options) =>
      call(endpoint, params, options)
    for (const [extra, functions] of Object.entries(extras)) {
      const attached: unknown = Reflect.get(functions, name)
      if (attached !== undefined) Object.assign(method, { [extra]: attached })
    }
    return [name, method]
  })
  return Object.fromEntries(methods) as Record<string, unknown>
}
