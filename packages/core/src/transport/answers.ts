import { HttpStatusError, RateLimitError } from '../errors/http.js'
import type { Classified, HttpAnswer } from './transport.js'

// Those above 504 come from a proxy in front of a server that it cannot reach.
const ALWAYS_RETRIED = new Set([408, 425, 429, 502, 503, 504, 520, 521, 522, 523, 524, 530])

// What liteservers and indexers say when they cannot answer yet, or not in time.
const NOT_READY =
  /LITE_SERVER_(?:NOTREADY|NETWORK)|not ready|time(?:d |-)?out|deadline exceeded|context cancel/i

// A contract or a node refused the message, or a contract threw: the same message fares no better the next time. Its
// text holds a log of the contract's run, where any word may stand.
const REFUSED =
  /exit ?code(?: |=|: ?)(?!0\b|1\b)-?\d|external message (?:was|is) not accepted|cannot apply external message/i

/**
 * The retry table: whether an answer says that the same request may succeed later.
 * Source: API facts, parts 1.2 (statuses and texts) and 6, trap 21.
 * @param answer.text the API's error text.
 */
export function isRetryableAnswer(answer: { status: number; text: string }): boolean {
  const { status, text } = answer
  if (REFUSED.test(text)) return status === 429
  if (status === 500) return NOT_READY.test(text)
  if (status === 542) return !/stack entry/i.test(text)
  return ALWAYS_RETRIED.has(status)
}

/**
 * Judges an answer by its status alone: for those that are no JSON, or not the API's. 429 becomes a
 * {@link RateLimitError}; redirects, error pages and broken JSON become a {@link HttpStatusError}. What no API writes
 * shows that something else stands at that address.
 */
export function classifyByStatus(answer: HttpAnswer): Classified {
  if (answer.status === 429) return classifyRateLimit(answer)
  const { status, text } = answer
  const contentType = answer.headers.get('content-type') ?? undefined
  // A page with any of the 500s comes from a proxy, or from a server that broke down.
  const isRetryable = status >= 500 || ALWAYS_RETRIED.has(status) || isBroken(answer, contentType)
  const problem = describeProblem(answer, contentType)
  const excerpt = text.slice(0, 200).replace(/\s+/g, ' ').trim()
  return {
    kind: 'error',
    isRetryable,
    isForeign: !isRetryable && (status < 400 || answer.json === undefined),
    isUntouched: status === 425,
    error: (facts) =>
      new HttpStatusError({ ...facts, status, contentType, excerpt, problem, isRetryable }),
  }
}

/** A 429 in any of its shapes: nobody sends that server anything for as long as it asks, then it is tried again. */
export function classifyRateLimit(answer: HttpAnswer): Classified {
  const { retryAfterMs } = answer
  return {
    kind: 'error',
    isRetryable: true,
    pauseAll: true,
    error: (facts) => new RateLimitError({ ...facts, retryAfterMs }),
  }
}

/** A success that lost its body, or a part of it, on the way. */
function isBroken({ status, text, json }: HttpAnswer, contentType: string | undefined): boolean {
  const isPromised = text === '' || contentType?.includes('json') === true
  return isSuccess(status) && json === undefined && isPromised
}

function describeProblem(answer: HttpAnswer, contentType: string | undefined): string {
  const { status, text, json } = answer
  // 304 points nowhere: it says that the body is what it was.
  if (isRedirect(status) && status !== 304) return describeRedirect(answer)
  if (json !== undefined) return 'JSON that is not an answer of this API; check baseUrl'
  if (text === '') return 'an empty body'
  if (isBroken(answer, contentType)) return 'JSON that breaks off or is not well-formed'
  const found = contentType ?? 'a body without content type'
  return `${found} in place of JSON${isSuccess(status) ? '; check baseUrl' : ''}`
}

function describeRedirect({ headers }: HttpAnswer): string {
  const location = headers.get('location')
  const to = location !== null && URL.canParse(location) ? ` to ${new URL(location).origin}` : ''
  return `a redirect${to}, not followed, since the API key would go along; check baseUrl`
}

/** Whether an answer points elsewhere. Browsers hide that status and show 0. */
export function isRedirect(status: number): boolean {
  return status === 0 || (status >= 300 && status < 400)
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}
