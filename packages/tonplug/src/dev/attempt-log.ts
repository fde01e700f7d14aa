import type { MockGateway, LoggedAttempt } from '@tonplug/testing'
import { explainError } from '../explain-error.js'
import { onOneLine } from '../table.js'

const KEPT_ATTEMPTS = 200

/** A request to the shop and its response, as lists show it. */
export interface AttemptSummary {
  id: number
  /** Null when the body does not contain it, for example after a fault. */
  reference: string | null
  delivery: number
  copy: number
  attempt: number
  atMs: number
  durationMs: number
  /** Null without a response. */
  status: number | null
  /** The reason for a missing response. */
  error: string | null
}

/** A request to the shop with all details. */
export interface AttemptDetail extends AttemptSummary {
  url: string
  requestHeaders: Record<string, string>
  requestBody: string
  responseHeaders: Record<string, string>
  responseBody: string
}

/** The newest attempts of a gateway. */
export interface AttemptLog {
  /** Returns the attempts, newest first. */
  list(): AttemptSummary[]
  find(id: number): AttemptDetail | undefined
}

/** Records the attempts of a gateway from now on. @param onAttempt called after each attempt. */
export function keepAttempts(
  gateway: MockGateway,
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
    responseHeaders: logged.responseHeaders ?? {},
    responseBody: logged.body ?? '',
  }
}

/** Reads the reference by a pattern, because a damaged body is not valid JSON. */
function referenceOf(body: Uint8Array): string | null {
  const [, literal] = /"reference":("(?:[^"\\]|\\.)*")/.exec(Buffer.from(body).toString()) ?? []
  try {
    const reference: unknown = literal === undefined ? null : JSON.parse(literal)
    return typeof reference === 'string' ? reference : null
  } catch {
    return null
  }
}
