import type { TonplugError } from '../errors/tonplug-error.js'
import type { CallFacts } from '../errors/http.js'
import type { Around } from '../runtime/around.js'
import type { Api } from './base-url.js'
import type { RequestEvent, TransportHooks } from './hooks.js'

/** A request is about to be sent for a call. */
export interface AttemptEvent extends RequestEvent {
  api: Api
}

/** How an attempt ended, unless all callers left. */
export interface AttemptEnd {
  /** The HTTP status; `undefined` when no whole answer came. */
  status: number | undefined
  /** Why it gave no value. */
  error?: TonplugError | undefined
}

/**
 * Watches a transport, and runs its calls inside something of its own, such as a span. It is told what the hooks are
 * told, besides those. It cannot change anything; what it throws is ignored.
 * `run` has to be called at once; otherwise the work begins outside.
 */
export interface TransportInstrumentation extends TransportHooks {
  /** Around a call of a caller, its waits and its attempts. `run` ends with what the caller gets. */
  call?: Around<Pick<CallFacts, 'endpoint'>, unknown> | undefined
  /** Around one request of a call, its whole answer included. Callers who share a request share it too. */
  attempt?: Around<AttemptEvent, AttemptEnd> | undefined
}
