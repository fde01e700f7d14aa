import type { TonplugError } from '../errors/tonplug-error.js'
import type { CallFacts } from '../errors/http.js'
import { callListener } from '../runtime/around.js'
import { redactTexts, type Redact } from './redact.js'

/** A request is about to be sent. */
export interface RequestEvent extends CallFacts {
  method: 'GET' | 'POST'
  /** The whole address with its query. The API key is never part of it. */
  url: string
}

/** An answer is there, whatever it says. */
export interface ResponseEvent extends RequestEvent {
  status: number
  /** From sending until the last byte of the body. */
  durationMs: number
}

/** An attempt failed and another one follows. */
export interface RetryEvent extends CallFacts {
  /** The wait before the next attempt; 0 when it goes to another server at once. */
  delayMs: number
  /** Why. */
  error: TonplugError
}

/** A request waited for the rate limit. Told when the wait is over; not told when there was none. */
export interface WaitEvent extends CallFacts {
  waitedMs: number
}

/** A call failed for good: what the caller gets. A caller's own abort is no error. */
export interface FailureEvent extends CallFacts {
  error: unknown
}

/** An answer departs from the description in a way that does no harm. Told once for each endpoint and path. */
export interface DriftEvent {
  endpoint: string
  /** Where in the result, as in `transactions[].status`. */
  path: string
  /** What was found, as the end of a sentence. */
  problem: string
}

/**
 * What a transport tells while it works. A hook cannot change anything; what it throws is ignored.
 * No event holds the API key, a header or a body.
 */
export interface TransportHooks {
  request?: ((event: RequestEvent) => void) | undefined
  response?: ((event: ResponseEvent) => void) | undefined
  retry?: ((event: RetryEvent) => void) | undefined
  wait?: ((event: WaitEvent) => void) | undefined
  error?: ((event: FailureEvent) => void) | undefined
  drift?: ((event: DriftEvent) => void) | undefined
}

/** Calls a hook, if there is one. */
export type HookCaller = <Name extends keyof TransportHooks>(
  name: Name,
  event: Parameters<NonNullable<TransportHooks[Name]>>[0],
) => void

/** Keeps failures of hooks from the calls, and the API key from the hooks. */
export function createHookCaller(listeners: readonly TransportHooks[], redact: Redact): HookCaller {
  return (name, event) => {
    for (const hooks of listeners) {
      // The event's type belongs to the name's; the compiler cannot follow that through the union.
      const hook = hooks[name] as ((value: typeof event) => unknown) | undefined
      if (hook !== undefined) callListener(() => hook(redactTexts(event, redact)))
    }
  }
}

const MOST_DRIFTS = 1000

/** Lets each endpoint and path pass once, the first thousand of them. */
export function createDriftFilter(): (event: DriftEvent) => boolean {
  const known = new Set<string>()
  return ({ endpoint, path }) => {
    const drift = `${endpoint} ${path}`
    if (known.has(drift) || known.size >= MOST_DRIFTS) return false
    known.add(drift)
    return true
  }
}
