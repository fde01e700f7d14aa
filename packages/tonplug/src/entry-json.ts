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
  }
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
