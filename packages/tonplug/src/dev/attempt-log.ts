import type { GatewayStandIn, LoggedAttempt } from '@tonplug/testing'
import { explainError } from '../explain-error.js'
import { onOneLine } from '../table.js'

const KEPT_ATTEMPTS = 200

/** One request to the shop, and its answer, as lists show it. */
export interface AttemptSummary {
  id: number
  /** Null where the body does not tell, as one that was cut off. */
  reference: string | null
  delivery: number
  copy: number
  attempt: number
  atMs: number
  durationMs: number
  /** Null where there was no answer. */
  status: number | null
  /** Why there was none. */
  error: string | null
}

/** One request to the shop with all that is known of it. */
export interface AttemptDetail extends AttemptSummary {
  url: string
  requestHeaders: Record<string, string>
  requestBody: string
  answerHeaders: Record<string, string>
  answerBody: string
}

/** The newest attempts of a gateway. */
export interface AttemptLog {
  /** The newest first. */
  list(): AttemptSummary[]
  find(id: number): AttemptDetail | undefined
}

/** Keeps the attempts of a gateway from now on. @param onAttempt called with each of them. */
export function keepAttempts(
  gateway: GatewayStandIn,
  onAttempt: (attempt: AttemptSummary) => void,
): AttemptLog {
  const kept = new Map<number, LoggedAttempt>()
  let newest = 0
  gateway.onAttempt((attempt) => {
    const id = ++newest
    kept.set(id, attempt)
    kept.delete(id - KEPT_ATTEMPTS)
    onAttempt(summarize(id, attempt))
  })
  return {
    list: () => [...kept].map(([id, attempt]) => summarize(id, attempt)).reverse(),
    find(id) {
      const attempt = kept.get(id)
      return attempt && detail(id, attempt)
    },
  }
}

function summarize(id: number, logged: LoggedAttempt): AttemptSummary {
  const { delivery, copy, attempt, atMs, durationMs, status = null, sent } = logged
  return {
    id,
    reference: referenceOf(sent.body),
    delivery,
    copy,
    attempt,
    atMs,
    durationMs,
    status,
    error: status === null ? onOneLine(explainError(logged.error)) : null,
  }
}

function detail(id: number, logged: LoggedAttempt): AttemptDetail {
  const { url, headers, body } = logged.sent
  return {
    ...summarize(id, logged),
    url,
    requestHeaders: headers,
    requestBody: Buffer.from(body).toString(),
    answerHeaders: logged.answerHeaders ?? {},
    answerBody: logged.body ?? '',
  }
}

/** Read from the text, since a damaged body is no JSON any more. */
function referenceOf(body: Uint8Array): string | null {
  const [, literal] = /"reference":("(?:[^"\\]|\\.)*")/.exec(Buffer.from(body).toString()) ?? []
  try {
    const reference: unknown = literal === undefined ? null : JSON.parse(literal)
    return typeof reference === 'string' ? reference : null
  } catch {
    return null
  }
}
