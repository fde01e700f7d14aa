import type {
  DeadLetter,
  Decision,
  RecordedAction,
  RelayedTask,
  Report,
  Task,
  TaskProgress,
} from '@tonplug/core'
import type { Row } from './queryable.js'

/** Reads the columns of `REPORT_COLUMNS`. */
export function toReport(row: Row): Report {
  const { decision, problem } = row
  return {
    id: text(row, 'id'),
    name: text(row, 'name'),
    merchant: text(row, 'merchant'),
    // The table checks the source and the state.
    source: text(row, 'source') as Report['source'],
    signedWith: text(row, 'signed_with'),
    reference: text(row, 'reference'),
    txHash: text(row, 'tx_hash'),
    rawBody: text(row, 'raw_body'),
    // Written by `insertValues`.
    payments: JSON.parse(text(row, 'payments')) as string[],
    wasCompletedBefore: row['was_completed_before'] === 'true',
    ...(typeof problem === 'string' && { problem }),
    receivedAtMs: number(row, 'received_ms'),
    state: text(row, 'state') as Report['state'],
    attempts: number(row, 'attempts'),
    // Written by `decide`.
    ...(typeof decision === 'string' && { decision: JSON.parse(decision) as Decision }),
  }
}

/** Reads the columns of `TASK_COLUMNS`. */
export function toTask(row: Row): Task {
  return {
    ...taskFields(row),
    txHash: text(row, 'tx_hash'),
    attempt: number(row, 'attempts'),
    leaseId: text(row, 'lease_id'),
    ...relayedFields(row),
  }
}

/** Reads the columns of `TASK_COLUMNS`. */
export function toRelayedTask(row: Row): RelayedTask {
  const relayedAtMs = number(row, 'relayed_ms')
  return { ...taskFields(row), txHash: text(row, 'tx_hash'), relayedAtMs }
}

function relayedFields(row: Row): { relayedAtMs?: number } {
  const relayedAtMs = optionalNumber(row, 'relayed_ms')
  return relayedAtMs === undefined ? {} : { relayedAtMs }
}

/** Reads the columns of `TASK_COLUMNS`. */
export function toDeadLetter(row: Row): DeadLetter {
  return { ...taskFields(row), attempts: number(row, 'attempts'), error: text(row, 'error') }
}

/** Reads the columns of `listTasks`. */
export function toTaskProgress(row: Row): TaskProgress {
  const error = row['error']
  return {
    id: text(row, 'id'),
    reportId: text(row, 'report_id'),
    handler: text(row, 'handler'),
    idempotencyKey: text(row, 'idempotency_key'),
    // The table checks it.
    state: text(row, 'state') as TaskProgress['state'],
    attempts: number(row, 'attempts'),
    dueAtMs: number(row, 'due_ms'),
    isRunning: row['is_running'] === 'true',
    ...relayedFields(row),
    ...(typeof error === 'string' && { error }),
  }
}

/** Reads the columns of `listActions`. */
export function toAction(row: Row): RecordedAction {
  return {
    reportId: text(row, 'report_id'),
    // Written by `recordAction`.
    action: text(row, 'action') as RecordedAction['action'],
    by: text(row, 'operator'),
    note: text(row, 'note'),
    atMs: number(row, 'acted_ms'),
  }
}

function taskFields(row: Row) {
  return {
    id: text(row, 'id'),
    reportId: text(row, 'report_id'),
    merchant: text(row, 'merchant'),
    reference: text(row, 'reference'),
    handler: text(row, 'handler'),
    idempotencyKey: text(row, 'idempotency_key'),
  }
}

/** Returns a column that is never null. */
export function text(row: Row | undefined, column: string): string {
  return row?.[column] ?? ''
}

export function number(row: Row | undefined, column: string): number {
  return Number(text(row, column))
}

export function optionalNumber(row: Row | undefined, column: string): number | undefined {
  const value = row?.[column]
  return typeof value === 'string' ? Number(value) : undefined
}

/** Returns a duration; 0 for a negative one. */
export function optionalDuration(row: Row | undefined, column: string): number | undefined {
  const ms = optionalNumber(row, column)
  return ms === undefined ? undefined : Math.max(0, ms)
}

/** Returns the parameter of an optional number. */
export function optionalText(value: number | undefined): string | null {
  return value === undefined ? null : String(value)
}
