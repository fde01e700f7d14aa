import type { CallError, CallFacts } from '../errors/call-error.js'
import type { Output, Schema } from '../schema/fields.js'
import type { ParamsInput, ParamsRule, ParamsSchema, WireParams } from '../schema/params-object.js'

/** A path of an API as data, from which its client method, types, reference page and tests are derived. */
export interface Endpoint<
  Params extends ParamsSchema = ParamsSchema,
  Result extends Schema = Schema,
> {
  /** The name of the method: the path in camel case without slashes. API v2 also accepts it at `/jsonRPC`. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** The path, for example `/getMasterchainInfo` or `/jetton/transfers`. */
  readonly path: string
  /** The API that has the path, if it is not that of the client. */
  readonly api?: 'emulate/v1'
  readonly params: Params
  /** Only a type, never a value: that of the schema in `results.ts`, from which the decoder is generated. */
  readonly result?: Result
  /** API v2: the only server version that has it; absent when both do. */
  readonly servers?: 'cpp' | 'python'
  /** API v3: true for an endpoint of the servers that the official description does not contain. */
  readonly isUndocumented?: true
  /** API v3: the list whose values are independent, so that a long list can be split into several requests. */
  readonly lookupBy?: string
  /** True for an endpoint that changes nothing, so equal calls in flight can share one request. */
  readonly isRead: boolean
  /** True for a GET endpoint that also accepts POST, which has no limit of length. */
  readonly takesPost?: true
  /** Returns the error that a result in its received form represents, if any. */
  readonly failure?: (result: unknown) => ((facts: CallFacts) => CallError) | undefined
  /** Returns the result for an account without transactions; some servers report its history as missing. */
  readonly whenUnused?: () => Output<Result>
  /** API v3: returns the result where servers respond with 404 when nothing is pending. */
  readonly whenNone?: () => Output<Result>
  /**
   * Changes a decoded result: applies a parameter that servers accept and ignore, or sets apart what a server cut off. A
   * narrowed page may be shorter than the page of the server, so paging counts the rows before.
   */
  readonly narrow?: (result: Output<Result>, params: WireParams) => Output<Result>
}

/** The other fields of an endpoint, and rules about several of its parameters. */
export type EndpointOptions<Result extends Schema> = Partial<
  Omit<Endpoint<ParamsSchema, Result>, 'name' | 'method' | 'path' | 'params' | 'result'>
> & { readonly rules?: readonly ParamsRule[] }

/** The types of the endpoints of a table, from which the build writes `generated/types.ts`. */
export type DescribedTypes<Table extends Readonly<Record<keyof Table, Endpoint>>> = {
  readonly [Name in keyof Table]: {
    parameters: ParametersOf<Table[Name]>
    result: ResultOf<Table[Name]>
  }
}

export type ParametersOf<E extends Endpoint> = ParamsInput<E['params']['shape']>

export type ResultOf<E extends Endpoint> = Output<NonNullable<E['result']>>
