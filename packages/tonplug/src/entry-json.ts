import type { InboxEntry, InboxHandler } from '@tonplug/postgres'

/** Returns a report as `--json` prints it; times are ISO 8601. */
export function entryJson({ state, report, retryAtMs, handlers }: InboxEntry) {
  const { id, name, merchant, source, reference, txHash, signedWith } = report
  return {
    id,
    state,
    name,
    merchant,
    source,
    reference,
    txHash,
    receivedAt: isoTime(report.receivedAtMs),
    signedWith,
    problem: report.problem ?? null,
    decision: report.decision ?? null,
    sweeps: report.attempts,
    retryAt: retryAtMs === undefined ? null : isoTime(retryAtMs),
    handlers: handlers.map(handlerJson),
    isCommentEncrypted: isCommentEncrypted(report),
  }
}

/** Returns whether a transfer was found with a comment that only payer and recipient can read. */
export function isCommentEncrypted({ rawBody }: InboxEntry['report']): boolean {
  // Not parsed: the body of a webhook may be anything. Only the watcher writes the field in this way.
  return rawBody.includes('"isCommentEncrypted":true')
}

function handlerJson(task: InboxHandler) {
  const { id, handler, idempotencyKey, state, attempts, dueAtMs, isRunning, error = null } = task
  const dueAt = state === 'open' ? isoTime(dueAtMs) : null
  const relayedAt = task.relayedAtMs === undefined ? null : isoTime(task.relayedAtMs)
  return { id, handler, idempotencyKey, state, attempts, isRunning, dueAt, relayedAt, error }
}

export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
