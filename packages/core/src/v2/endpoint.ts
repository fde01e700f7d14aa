import type * as z from 'zod/mini'
import type { ApiError } from '../errors/api.js'
import type { CallFacts } from '../errors/http.js'
import type { ParamsSchema } from '../schema/params-object.js'

/** One path of API v2, as data: a client method, its types, the reference page and the tests are made of it. */
export interface Endpoint<
  Params extends ParamsSchema = ParamsSchema,
  Result extends z.ZodMiniType = z.ZodMiniType,
> {
  /** The path without its slash; also the method's name under `/jsonRPC`. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** As in `/getMasterchainInfo`. */
  readonly path: string
  readonly params: Params
  readonly result: Result
  /** What comes back, in one sentence. */
  readonly doc: string
  /** The one server version that has it; absent when both have. */
  readonly servers?: 'cpp' | 'python'
  /** Whether it changes nothing, so that identical calls in flight can share one request. */
  readonly isRead: boolean
  /** The error that a well-formed result stands for, when it is none. */
  readonly failure?: (result: z.output<Result>) => ((facts: CallFacts) => ApiError) | undefined
}

/** What a caller passes to an endpoint. */
export type ParametersOf<E extends Endpoint> = z.input<E['params']>

/** What a call of an endpoint resolves to. */
export type ResultOf<E extends Endpoint> = z.output<E['result']>

/** An endpoint that is asked with GET. */
export function getEndpoint<Params extends ParamsSchema, Result extends z.ZodMiniType>(
  name: string,
  rest: Pick<Endpoint<Params, Result>, 'params' | 'result' | 'doc' | 'servers'>,
): Endpoint<Params, Result> {
  return { name, method: 'GET', path: `/${name}`, isRead: true, ...rest }
}

/** An endpoint that is asked with POST. */
export function postEndpoint<Params extends ParamsSchema, Result extends z.ZodMiniType>(
  name: string,
  rest: Pick<
    Endpoint<Params, Result>,
    'params' | 'result' | 'doc' | 'servers' | 'isRead' | 'failure'
  >,
): Endpoint<Params, Result> {
  return { name, method: 'POST', path: `/${name}`, ...rest }
}
