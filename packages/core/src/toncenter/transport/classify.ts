import { isObject } from '../../shared/is-object.js'
import { HttpStatusError, RateLimitError } from '../errors/http.js'
import { toInt } from '../schema/readers.js'
import { isTooDeep, MAX_JSON_DEPTH } from '../../shared/shallow-json.js'
import { tryParseJson } from './lossless-json.js'
import type { Redact } from './redact.js'
import type { Classified, HttpResponse, TransportRequest } from './request.js'

export type RawResponse = Pick<HttpResponse, 'status' | 'headers' | 'text'>

/**
 * Parses a response and has the API's client classify it as received, since a key may be part of any word. The error is
 * created from a body without the key.
 */
export function classifyResponse(
  request: TransportRequest,
  raw: RawResponse,
  { nowMs, redact }: { nowMs: number; redact: Redact },
): { response: HttpResponse; classified: Classified } {
  const retryAfterMs = readRetryAfter(raw.headers, nowMs)
  const response: HttpResponse = { ...raw, retryAfterMs, json: tryParseJson(raw.text) }
  // A redirect is an error whatever its body.
  const classify = (one: HttpResponse): Classified =>
    isRedirect(raw.status) ? classifyByStatus(one) : request.classify(one)
  const classified = classify(response)
  if (classified.kind === 'ok') return { response, classified }
  // Redacts before the body is shortened, which could leave half a key; parses it again, since `json` may have been changed.
  const text = redact(raw.text)
  if (text === raw.text) return { response, classified }
  const clean = { ...response, text, json: redactJson(tryParseJson(raw.text), redact) }
  return { response: clean, classified: withError(classified, classify(clean)) }
}

/** Classifies a response again, with newly parsed objects. */
export function classifyAgain(request: TransportRequest, response: HttpResponse): Classified {
  return request.classify({ ...response, json: tryParseJson(response.text) })
}

/** Returns the error of the body without the key, unless that is classified differently. */
function withError(
  classified: Extract<Classified, { kind: 'error' }>,
  clean: Classified,
): Classified {
  if (clean.kind === 'ok') return classified
  return {
    ...classified,
    error(facts) {
      const error = classified.error(facts)
      const cleanError = clean.error(facts)
      return cleanError.code === error.code ? cleanError : error
    },
  }
}

/**
 * Redacts string values only: a key that equals a number or the name of a field must not change the response. Uses a loop,
 * since a response may be deeper than the call stack. @param json newly parsed; changed in place
 */
function redactJson(json: unknown, redact: Redact): unknown {
  const root = { json }
  const containers: object[] = [root]
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    for (const [key, value] of Object.entries(container) as [string, unknown][]) {
      if (typeof value === 'string') Reflect.set(container, key, redact(value))
      else if (typeof value === 'object' && value !== null) containers.push(value)
    }
  }
  return root.json
}

// Those above 504 come from a proxy that cannot reach its server.
const ALWAYS_RETRIED = /408|425|429|50[2-4]|52[0-4]|530/

// Texts of liteservers and indexers that are behind or too slow.
const NOT_READY =
  /LITE_SERVER_(?:NOTREADY|NETWORK)|not ready|time(?:d |-)?out|deadline exceeded|context cancel/i

// A contract or a node rejected the message, or a contract threw, which a retry does not change. The message contains a log
// of the contract's run with any words.
const REJECTED =
  /exit ?code(?: |=|: ?)(?!0\b|1\b)-?\d|external message (?:was|is) not accepted|cannot apply external message/i

/**
 * Returns true when the same request may succeed later: the table of retries.
 * Source: API facts, parts 1.2 (statuses and texts) and 6, trap 21.
 * @param response.text the API's error text.
 */
export function isRetryableResponse({ status, text }: { status: number; text: string }): boolean {
  if (REJECTED.test(text)) return status === 429
  if (status === 500) return NOT_READY.test(text)
  if (status === 542) return !/stack entry/i.test(text)
  return ALWAYS_RETRIED.test(String(status))
}

/**
 * Classifies a response that is not JSON or not of the API by its status: 429 becomes a {@link RateLimitError}; redirects,
 * error pages and broken JSON become an {@link HttpStatusError}.
 */
export function classifyByStatus(response: HttpResponse): Classified {
  if (response.status === 429) return classifyRateLimit(response)
  const { status, text } = response
  const contentType = response.headers.get('content-type') ?? undefined
  // A 5xx page comes from a proxy, or from a server that failed.
  const isCutOff = isBroken(response, contentType)
  const isRetryable = status >= 500 || ALWAYS_RETRIED.test(String(status)) || isCutOff
  const problem = describeProblem(response, contentType, isCutOff)
  const excerpt = excerptOf(text)
  return {
    kind: 'error',
    isRetryable,
    isForeign: !isRetryable && (status < 400 || response.json === undefined),
    isUntouched: status === 425,
    error: (facts) =>
      new HttpStatusError({ ...facts, status, contentType, excerpt, problem, isRetryable }),
  }
}

/** Classifies a 429: the server receives no requests for as long as it asks, then the request is retried. */
export function classifyRateLimit({ retryAfterMs, json, text }: HttpResponse): Classified {
  const { reason, serverCode } = readErrorBody(json)
  return {
    kind: 'error',
    isRetryable: true,
    pauseAll: true,
    error: (facts) =>
      new RateLimitError({ ...facts, retryAfterMs, reason: reason || excerptOf(text), serverCode }),
  }
}

/** Returns the beginning of a string in one line. */
export function excerptOf(text: string): string {
  return text.slice(0, 200).replace(/\s+/g, ' ').trim()
}

/** Returns true for a success whose body was lost or cut off. */
function isBroken({ status, text, json }: HttpResponse, contentType: string | undefined): boolean {
  const isExpected = text === '' || contentType?.includes('json') === true
  return isSuccess(status) && json === undefined && isExpected && !isTooDeep(text)
}

function describeProblem(
  response: HttpResponse,
  contentType = 'unknown content',
  isCutOff = false,
): string {
  const { status, text, json } = response
  // 304 has no target: the body is unchanged.
  if (isRedirect(status) && status !== 304) return describeRedirect(response)
  if (json !== undefined) return 'not a response of this API; check baseUrl'
  if (text === '') return 'an empty body'
  if (isCutOff) return 'incomplete or invalid JSON'
  if (isTooDeep(text)) return `JSON with more than ${MAX_JSON_DEPTH} levels; check baseUrl`
  return `${contentType} instead of JSON${isSuccess(status) ? '; check baseUrl' : ''}`
}

function describeRedirect({ headers }: HttpResponse): string {
  // Not followed: the request has the API key.
  const location = headers.get('location')
  const to = location !== null && URL.canParse(location) ? ` to ${new URL(location).origin}` : ''
  return `a redirect${to}, not followed; check baseUrl`
}

/** Returns true for a redirect. Browsers replace its status by 0. */
function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400)
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/**
 * Reads the error text and the code of an error response, from any of the fields that servers use. Servers of JSON-RPC and
 * their proxies have an object with both.
 */
export function readErrorBody(json: unknown) {
  const { error, result, message, msg, detail, code } = isObject(json) ? json : {}
  const inner = isObject(error) ? error : {}
  const texts = [error, inner['message'], inner['error'], result, message, msg, detail]
  const reason = texts.find((text) => typeof text === 'string') ?? readDetails(detail)
  return { reason, serverCode: readServerCode(code) ?? readServerCode(inner['code']) }
}

/** Returns true when the field `error` reports an error. Some servers send null or an empty string with a success. */
export function hasError(json: Readonly<Record<string, unknown>>): boolean {
  const { error } = json
  return isObject(error) || (typeof error === 'string' && error !== '')
}

/** Returns the `code` of an error as received; `undefined` when it is neither an integer nor a string. */
function readServerCode(code: unknown): number | string | undefined {
  return typeof code === 'string' ? code : toInt(code)
}

/** Reads the list of invalid parameters that FastAPI, the framework of the Python server, sends. */
function readDetails(detail: unknown): string {
  const list: unknown[] = Array.isArray(detail) ? detail : []
  const problems = list.filter(isObject).map(({ loc, msg }) => {
    // An object may have a `toString` that is not a function.
    const path = Array.isArray(loc) ? loc.filter((one) => typeof one !== 'object').join('.') : ''
    return [path, msg].filter((text) => typeof text === 'string' && text !== '').join(': ')
  })
  return problems.join('; ')
}

/**
 * Reads the header `Retry-After`, in seconds or as a date. A date is compared with the response's own `Date`, since clocks
 * differ, or else with the local time.
 * @returns milliseconds, 0 for a time in the past, `undefined` without the header.
 */
export function readRetryAfter(
  headers: { get(name: string): string | null },
  nowMs: number,
): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const untilMs = Date.parse(value)
  const sentMs = Date.parse(headers.get('date') ?? '')
  const waitMs = untilMs - (Number.isNaN(sentMs) ? nowMs : sentMs)
  return Number.isNaN(waitMs) ? undefined : Math.max(0, Math.ceil(waitMs))
}
