import type { MockGateway, LoggedAttempt } from '@tonplug/testing'
import { explainError } from '../explain-error.js'
import { onOneLine } from '../table.js'
import { EXPLAIN_HEADER } from './explained-fetch.js'
import { readDecision, readWebhook, type SentWebhook, type ShopDecision } from './sent-webhook.js'

const KEPT_ATTEMPTS = 200

/** A request to the shop and its response, as lists show it. */
export interface AttemptSummary extends SentWebhook {
  id: number
  delivery: number
  copy: number
  attempt: number
  atMs: number
  durationMs: number
  /** Null without a response. */
  status: number | null
  /** Null when the response does not contain it. */
  decision: ShopDecision | null
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
  const kept = new Map<number, { summary: AttemptSummary; logged: LoggedAttempt }>()
  let newest = 0
  gateway.onAttempt((logged) => {
    const id = ++newest
    const summary = summarize(id, logged)
    kept.set(id, { summary, logged })
    kept.delete(id - KEPT_ATTEMPTS)
    onAttempt(summary)
  })
  return {
    list: () => [...kept.values()].map(({ summary }) => summary).reverse(),
    find(id) {
      const attempt = kept.get(id)
      return attempt && detail(attempt.summary, attempt.logged)
    },
  }
}

function summarize(id: number, logged: LoggedAttempt): AttemptSummary {
  const { delivery, copy, attempt, atMs, durationMs, status = null, sent } = logged
  return {
    id,
    ...readWebhook(Buffer.from(sent.body).toString()),
    delivery,
    copy,
    attempt,
    atMs,
    durationMs,
    status,
    decision: readDecision(logged.body),
    error: status === null ? onOneLine(explainError(logged.error)) : null,
  }
}

function detail(summary: AttemptSummary, logged: LoggedAttempt): AttemptDetail {
  const { url, headers, body } = logged.sent
  return {
    ...summary,
    url,
    requestHeaders: { ...headers, ...EXPLAIN_HEADER },
    requestBody: Buffer.from(body).toString(),
    responseHeaders: logged.responseHeaders ?? {},
    responseBody: logged.body ?? '',
  }
}
