import type { TonplugError } from '../../shared/tonplug-error.js'
import type { CallFacts } from '../errors/call-error.js'

export type Api = 'v2' | 'v3' | 'emulate/v1' | 'merchant/v1'

/** One call, as described by the client of an API. */
export interface TransportRequest {
  api: Api
  /** Name for errors and hooks. */
  endpoint: string
  method: 'GET' | 'POST'
  /** Below the API's root, for example `/getMasterchainInfo`. */
  path: string
  query?: readonly (readonly [name: string, value: string])[] | undefined
  /** Sent as JSON. A string is sent as it is. */
  body?: unknown
  /**
   * True for a request that changes nothing. Equal reads in flight share one request; none joins a read that began before the end of
   * a call that changes something.
   */
  isRead: boolean
  /**
   * Set for a request that must not be sent twice: after an attempt that may have been accepted, the call ends with an
   * {@link OutcomeUnknownError} whose message ends with this advice.
   */
  adviceWhenLost?: string | undefined
  /**
   * Classifies a response, and may change its `json`. It may be called more than once per response, each time with a newly
   * parsed `json`, so that callers who share a request receive separate objects.
   */
  classify(response: HttpResponse): Classified
}

/** A complete HTTP response. */
export interface HttpResponse {
  status: number
  headers: { get(name: string): string | null }
  text: string
  /** The parsed body, long integers as strings of their digits; `undefined` when the body is not JSON. */
  json: unknown
  /** The delay that the header `Retry-After` requests. */
  retryAfterMs: number | undefined
}

/** The meaning of a response: a value, or an error and its consequences. */
export type Classified =
  | { kind: 'ok'; value: unknown }
  | {
      kind: 'error'
      /** Creates the error, with the facts of the call at that attempt. */
      error: (facts: CallFacts) => TonplugError
      /** True when the same request may be sent again; the transport decides when. */
      isRetryable: boolean
      /** True when the same read may be sent once more: a fault that may be transient. */
      isRetryableOnce?: boolean | undefined
      /** True when all callers must pause requests to that server (429). */
      pauseAll?: boolean | undefined
      /** True for a response that is not one of the API, so another server may respond better. */
      isForeign?: boolean | undefined
      /** True when the request was certainly not processed. */
      isUntouched?: boolean | undefined
    }

/** Facts about a response. */
export interface ResponseMeta {
  status: number
  /** Requests sent for it. */
  attempts: number
  baseUrl: string
  /** The header `X-API-Version`. */
  apiVersion: string | undefined
  /** From the start of the call to the response, with all waits. */
  durationMs: number
  /** True when the request was shared with an equal call in flight. */
  isShared: boolean
}

export interface TransportResponse {
  value: unknown
  meta: ResponseMeta
}
