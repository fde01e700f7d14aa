import { callListener, type Around } from '../../shared/instrumentation.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import type { CallFacts } from '../errors/call-error.js'
import { functionParam, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { redactTexts, type Redact } from './redact.js'
import type { Api } from './request.js'

export interface RequestEvent extends CallFacts {
  method: 'GET' | 'POST'
  /** The whole address with its query, never with the API key. */
  url: string
}

export interface ResponseEvent extends RequestEvent {
  status: number
  /** From the request to the last byte of the body. */
  durationMs: number
}

export interface RetryEvent extends CallFacts {
  /** The delay before the next attempt; 0 when it goes to another server at once. */
  delayMs: number
  error: TonplugError
}

export interface WaitEvent extends CallFacts {
  waitedMs: number
}

/** A call that rejects, except by the caller's own signal. */
export interface FailureEvent extends CallFacts {
  error: unknown
}

/**
 * Events of a transport. A hook cannot change anything; its errors are ignored. No event contains the API key, a header or
 * a body.
 */
export interface TransportHooks {
  request?: ((event: RequestEvent) => void) | undefined
  response?: ((event: ResponseEvent) => void) | undefined
  retry?: ((event: RetryEvent) => void) | undefined
  wait?: ((event: WaitEvent) => void) | undefined
  error?: ((event: FailureEvent) => void) | undefined
}

const hook = optionalParam(functionParam)

export const transportHooks: OptionShape<TransportHooks> = {
  request: hook,
  response: hook,
  retry: hook,
  wait: hook,
  error: hook,
}

export interface AttemptEvent extends RequestEvent {
  api: Api
}

/** The end of an attempt, unless all its callers have left. */
export interface AttemptEnd {
  /** The HTTP status; `undefined` without a complete response. */
  status: number | undefined
  error?: TonplugError | undefined
}

/**
 * Instruments a transport: it runs calls and attempts inside something of its own, for example a span, and receives the
 * events of the hooks. It cannot change anything; its errors are ignored. It must call `run` at once, or the work begins
 * outside.
 */
export interface TransportInstrumentation extends TransportHooks {
  /** Wraps a call with all its waits and attempts. `run` settles with the result of the call. */
  call?: Around<Pick<CallFacts, 'endpoint'>, unknown> | undefined
  /** Wraps one request up to the end of its response. Callers who share a request share it, too. */
  attempt?: Around<AttemptEvent, AttemptEnd> | undefined
}

export type HookCaller = <Name extends keyof TransportHooks>(
  name: Name,
  event: Parameters<NonNullable<TransportHooks[Name]>>[0],
) => void

/** Isolates calls from errors of hooks, and hooks from the API key. */
export function createHookCaller(listeners: readonly TransportHooks[], redact: Redact): HookCaller {
  return (name, event) => {
    for (const hooks of listeners) {
      // The type of the event follows from the name, which the compiler cannot infer through the union.
      const listener = hooks[name] as ((value: typeof event) => unknown) | undefined
      if (listener !== undefined) callListener(() => listener(redactTexts(event, redact)))
    }
  }
}
