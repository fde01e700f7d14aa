import type * as z from 'zod/mini'
import type { ApiError } from '../errors/api.js'
import type { CallFacts } from '../errors/http.js'
import type { WireParams } from '../schema/check-params.js'
import type { ParamsInput, ParamsSchema } from '../schema/params-object.js'

/** One path of an API, as data: a client method, its types, the reference page and the tests are made of it. */
export interface Endpoint<
  Params extends ParamsSchema = ParamsSchema,
  Result extends z.ZodMiniType = z.ZodMiniType,
> {
  /** The method's name: the path without slashes, camel-joined. API v2 has it under `/jsonRPC` as well. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** As in `/getMasterchainInfo` or `/jetton/transfers`. */
  readonly path: string
  readonly params: Params
  /** A type alone, never a value: that of the schema in `results.ts`, from which the decoder is generated. */
  readonly result?: Result
  /** API v2: the one server version that has it; absent when both have. */
  readonly servers?: 'cpp' | 'python'
  /** API v3: whether servers have it although no official description does. */
  readonly isUndocumented?: true
  /** API v3: the list whose values are looked up each for itself, so that many of them can go in several requests. */
  readonly lookupBy?: string
  /** Whether it changes nothing, so that identical calls in flight can share one request. */
  readonly isRead: boolean
  /** Of an endpoint that is asked with GET: whether it takes POST too, which has no limit of length. */
  readonly takesPost?: true
  /** The error that a result stands for, when it is none; told from the result as it came. */
  readonly failure?: (result: unknown) => ((facts: CallFacts) => ApiError) | undefined
  /** What is to be answered for an account without transactions; some servers say that its history is missing. */
  readonly whenUnused?: () => z.output<Result>
  /** API v3: what is to be answered where servers say by a 404 that nothing is pending. */
  readonly whenNone?: () => z.output<Result>
  /**
   * What a parameter that servers accept and ignore leaves of a result. A page that was narrowed may be shorter than
   * the one the server sent: a walk counts the rows before.
   */
  readonly narrow?: (result: z.output<Result>, params: WireParams) => z.output<Result>
}

/** What a caller passes to an endpoint. */
export type ParametersOf<E extends Endpoint> = ParamsInput<E['params']['shape']>

/** What a call of an endpoint resolves to. */
export type ResultOf<E extends Endpoint> = z.output<NonNullable<E['result']>>
