import type { InboxEntry, InboxHandler } from '@tonplug/postgres'

/** A delivery as `--json` prints it; points in time are ISO 8601. */
export function entryJson({ state, delivery, retryAtMs, handlers }: InboxEntry) {
  const { id, receiver, reference, txHash, signedWith, receivedAtMs, attempts } = delivery
  return {
    id,
    state,
    receiver,
    reference,
    txHash,
    receivedAt: isoTime(receivedAtMs),
    signedWith,
    decision: delivery.decision ?? null,
    sweeps: attempts,
    retryAt: retryAtMs === undefined ? null : isoTime(retryAtMs),
    handlers: handlers.map(handlerJson),
  }
}

function handlerJson(task: InboxHandler) {
  const { id, handler, idempotencyKey, state, attempts, dueAtMs, isRunning, error } = task
  const dueAt = state === 'open' ? isoTime(dueAtMs) : null
  return { id, handler, idempotencyKey, state, attempts, isRunning, dueAt, error: error ?? null }
}

export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}
