import { classifyByStatus, isRedirect } from './answers.js'
import type { RawAnswer } from './exchange.js'
import { parseJson } from './lossless-json.js'
import type { Redact } from './redact.js'
import { readRetryAfter } from './retry-after.js'
import type { Classified, HttpAnswer, TransportRequest } from './transport.js'

/** An answer and what it means. */
export interface Judged {
  answer: HttpAnswer
  verdict: Classified
}

/** Parses an answer and has the API's client judge it. An error is built from a text without the API key. */
export function judge(
  request: TransportRequest,
  raw: RawAnswer,
  options: { nowMs: number; redact: Redact },
): Judged {
  const retryAfterMs = readRetryAfter(raw.headers, options.nowMs)
  const answer: HttpAnswer = { ...raw, retryAfterMs, json: tryParse(raw.text) }
  // No body makes up for a redirect, not even a fitting one.
  const classify = (one: HttpAnswer): Classified =>
    isRedirect(raw.status) ? classifyByStatus(one) : request.classify(one)
  const verdict = classify(answer)
  if (verdict.kind === 'ok') return { answer, verdict }
  // Written anew, since JSON may have spelt the key with escapes.
  const text = answer.json === undefined ? raw.text : JSON.stringify(answer.json)
  const redacted = options.redact(text)
  if (redacted === text) return { answer, verdict }
  const clean = { ...answer, text: redacted, json: tryParse(redacted) }
  return { answer: clean, verdict: classify(clean) }
}

/** Judges an answer once more, on objects of its own. */
export function judgeAgain(request: TransportRequest, answer: HttpAnswer): Classified {
  return request.classify({ ...answer, json: tryParse(answer.text) })
}

function tryParse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
