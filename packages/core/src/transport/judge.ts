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

/**
 * Parses an answer and has the API's client judge it, on the text as it came: a key may be a part of any word. The error
 * is built from a text without the key.
 */
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
  // Before anything shortens a text and leaves half a key; from the text, since `json` may have been changed.
  const text = options.redact(raw.text)
  if (text === raw.text) return { answer, verdict }
  const clean = { ...answer, text, json: redactJson(tryParse(raw.text), options.redact) }
  return { answer: clean, verdict: withError(verdict, classify(clean)) }
}

/** The verdict of a text with the error of the same text without the key, unless that reads as something else. */
function withError(verdict: Refused, clean: Classified): Classified {
  if (clean.kind === 'ok') return verdict
  return {
    ...verdict,
    error(facts) {
      const error = verdict.error(facts)
      const cleanError = clean.error(facts)
      return cleanError.code === error.code ? cleanError : error
    },
  }
}

type Refused = Extract<Classified, { kind: 'error' }>

/** Only values: a key that is a number, or the name of a field, must not turn the answer into another one. */
function redactJson(json: unknown, redact: Redact): unknown {
  const redactValue = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? redact(value) : value
  return json === undefined ? json : JSON.parse(JSON.stringify(json, redactValue))
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
