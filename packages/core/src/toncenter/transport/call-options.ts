import { ConfigurationError } from '../../shared/configuration-error.js'
import { callListener } from '../../shared/instrumentation.js'
import {
  anyOption,
  checkOptions,
  functionParam,
  oneOfParam,
  positiveParam,
  type OptionShape,
} from '../schema/options.js'
import { optionalParam, type Param } from '../schema/param.js'

/** All priorities, the highest first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const satisfies readonly Priority[]

/** The order of requests that wait for the rate limit. A steady stream of `high` delays `low` indefinitely. */
export type Priority = 'high' | 'normal' | 'low'

/**
 * Options of one call. Equal reads in flight share one request if all options except `signal` are equal. The signal of a
 * caller ends the call for that caller alone.
 */
export interface RequestOptions {
  /** Ends the call at any moment; the call then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Overrides that of the transport. */
  timeoutMs?: number | undefined
  /** Overrides that of the transport. */
  deadlineMs?: number | undefined
  /**
   * Overrides `retry.maxAttempts` of the transport; `1` sends exactly one request, to one server. Only `fetch` itself
   * repeats a request after a response with 421, which means that it was not processed.
   */
  maxAttempts?: number | undefined
  /** @default 'normal' */
  priority?: Priority | undefined
  headers?: Readonly<Record<string, string | undefined>> | undefined
}

/** The options of one call, with their checks. */
export const requestOptions: OptionShape<RequestOptions> = {
  signal: anyOption,
  timeoutMs: optionalParam(positiveParam),
  deadlineMs: optionalParam(positiveParam),
  maxAttempts: optionalParam(positiveParam),
  priority: optionalParam(oneOfParam(PRIORITIES)),
  headers: anyOption,
}

export interface CallOptions<Meta> extends RequestOptions {
  onResponse?: ((meta: Meta) => void) | undefined
}

export const callOptions: OptionShape<CallOptions<never>> = {
  ...requestOptions,
  onResponse: optionalParam(functionParam),
}

/**
 * Checks the options of a client's call, and separates the options of the transport. Errors of `onResponse` are ignored.
 * @param shape {@link callOptions}, with more options of that client
 * @throws {ConfigurationError} for an unknown or invalid option.
 */
export function readCallOptions<Meta, Own = unknown>(
  options: CallOptions<Meta> & Own,
  shape: Readonly<Record<string, Param>> = callOptions,
): {
  requestOptions: Omit<CallOptions<Meta> & Own, 'onResponse'>
  notifyCaller: (meta: Meta) => void
} {
  checkOptions(shape, options)
  const { onResponse, ...rest } = options
  const notifyCaller = (meta: Meta): void => {
    if (onResponse !== undefined) callListener(() => onResponse(meta))
  }
  return { requestOptions: rest, notifyCaller }
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Returns the headers of a request, names in lower case.
 * @throws {ConfigurationError} for an invalid header. `fetch` would quote its value, which may be a secret.
 */
export function requestHeaders(
  hasBody: boolean,
  more: RequestOptions['headers'] = {},
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (hasBody) headers['content-type'] = 'application/json'
  for (const [name, value] of Object.entries(more)) {
    if (value === undefined) continue
    const lowerCase = name.toLowerCase()
    if (!HEADER_NAME.test(lowerCase) || !HEADER_VALUE.test(value)) {
      const problem = 'must be a valid header'
      throw new ConfigurationError({ option: `headers[${JSON.stringify(name)}]`, problem })
    }
    headers[lowerCase] = value
  }
  return headers
}
