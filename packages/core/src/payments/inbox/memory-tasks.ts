import type { Clock } from '../../shared/clock.js'
import type { Report } from './inbox-reports.js'
import {
  PROOF_TASK,
  type DeadLetter,
  type DeadLetterFilter,
  type NewTask,
  type RelayedTask,
  type Task,
  type TaskOutcome,
  type TaskProgress,
} from './inbox-tasks.js'
import type { Inbox } from './inbox.js'

interface TaskRow extends NewTask {
  id: string
  report: Report
  state: TaskProgress['state']
  attempts: number
  /** When it may be claimed; while it runs, the end of its lease. */
  dueMs: number
  leaseId: string | undefined
  error: string
  /** When it was scheduled or replayed. */
  sinceMs: number
  relayedAtMs: number | undefined
}

/** The tasks of the memory inbox. */
export interface TaskTable {
  clock: Clock
  /** Rows by idempotency key. */
  rows: Map<string, TaskRow>
  open: Set<TaskRow>
  /** Those handed over first come first. */
  relayed: Set<TaskRow>
  dead: Set<TaskRow>
  lastId: number
}

/** Creates a table without tasks. */
export function createTaskTable(clock: Clock): TaskTable {
  return { clock, rows: new Map(), open: new Set(), relayed: new Set(), dead: new Set(), lastId: 0 }
}

/** Adds tasks whose key is not known yet. @returns their keys. */
export function addTasks(table: TaskTable, report: Report, tasks: readonly NewTask[]): string[] {
  const added = tasks.filter(({ idempotencyKey }) => !table.rows.has(idempotencyKey))
  for (const task of added) {
    const id = `task-${++table.lastId}`
    const runs = { attempts: 0, dueMs: 0, leaseId: undefined, error: '' }
    const row: TaskRow = {
      ...task,
      id,
      report,
      ...runs,
      state: 'open',
      sinceMs: report.receivedAtMs,
      relayedAtMs: undefined,
    }
    table.rows.set(task.idempotencyKey, row)
    table.open.add(row)
  }
  return added.map(({ idempotencyKey }) => idempotencyKey)
}

/** See {@link Inbox.tasks.claim}. */
export function claimTasks(
  table: TaskTable,
  { name, limits, leaseMs }: Parameters<Inbox['tasks']['claim']>[0],
): Task[] {
  const nowMs = table.clock.nowMs()
  const left = new Map(Object.entries(limits))
  const claimed: Task[] = []
  for (const row of table.open) {
    const places = left.get(row.handler) ?? 0
    if (places <= 0 || row.dueMs > nowMs || row.report.name !== name) continue
    left.set(row.handler, places - 1)
    claimed.push(lease(table, row, leaseMs))
  }
  return claimed
}

/** See {@link Inbox.tasks.claimRelay}. */
export function claimRelay(
  table: TaskTable,
  { name, leaseMs, limit }: Parameters<Inbox['tasks']['claimRelay']>[0],
): Task[] {
  const nowMs = table.clock.nowMs()
  return [...table.open]
    .filter(
      ({ report, handler, dueMs }) =>
        report.name === name && handler !== PROOF_TASK && dueMs <= nowMs,
    )
    .slice(0, limit)
    .map((row) => lease(table, row, leaseMs))
}

function lease(table: TaskTable, row: TaskRow, leaseMs: number): Task {
  const leaseId = `lease-${++table.lastId}`
  const dueMs = table.clock.nowMs() + leaseMs
  Object.assign(row, { attempts: row.attempts + 1, dueMs, leaseId })
  const { attempts, relayedAtMs } = row
  const task = { ...identify(row), attempt: attempts, leaseId }
  return relayedAtMs === undefined ? task : { ...task, relayedAtMs }
}

function identify({ id, report, idempotencyKey, handler }: TaskRow) {
  const { id: reportId, merchant, reference, txHash } = report
  return { id, reportId, merchant, reference, txHash, idempotencyKey, handler }
}

function held({ rows }: TaskTable, task: Task): TaskRow | undefined {
  const row = rows.get(task.idempotencyKey)
  return row?.leaseId === task.leaseId ? row : undefined
}

/** See {@link Inbox.tasks.extendLease}. */
export function extendLease(table: TaskTable, task: Task, leaseMs: number): boolean {
  const row = held(table, task)
  if (row !== undefined) row.dueMs = table.clock.nowMs() + leaseMs
  return row !== undefined
}

/** See {@link Inbox.tasks.finish}. */
export function finishTask(table: TaskTable, task: Task, outcome: TaskOutcome): boolean {
  const row = held(table, task)
  if (row === undefined) return false
  row.leaseId = undefined
  row.state = outcome.kind === 'retry' ? 'open' : outcome.kind
  if (outcome.kind === 'retry') row.dueMs = table.clock.nowMs() + outcome.retryInMs
  else table.open.delete(row)
  if (outcome.kind === 'dead') table.dead.add(row)
  if (outcome.kind === 'relayed') {
    row.relayedAtMs = table.clock.nowMs()
    table.relayed.add(row)
  }
  if ('error' in outcome) row.error = outcome.error
  return true
}

/** See {@link Inbox.tasks.finishRelayed}. */
export function finishRelayed(
  { rows, open, relayed, dead }: TaskTable,
  { name, idempotencyKey, outcome }: Parameters<Inbox['tasks']['finishRelayed']>[0],
): boolean {
  const row = rows.get(idempotencyKey)
  if (row === undefined || row.report.name !== name || row.state === 'done') return false
  for (const table of [open, relayed, dead]) table.delete(row)
  row.leaseId = undefined
  row.state = outcome.kind
  if (outcome.kind === 'dead') {
    row.error = outcome.error
    dead.add(row)
  }
  return true
}

/** See {@link Inbox.tasks.listRelayed}. */
export function listRelayed(
  { relayed }: TaskTable,
  { name, limit }: Parameters<Inbox['tasks']['listRelayed']>[0],
): RelayedTask[] {
  return [...relayed]
    .filter(({ report }) => report.name === name)
    .slice(0, limit)
    .map((row) => ({ ...identify(row), relayedAtMs: row.relayedAtMs ?? 0 }))
}

/** See {@link Inbox.tasks.list}. */
export function listTasks({ rows }: TaskTable, keys: readonly string[]): TaskProgress[] {
  return keys.flatMap((key) => {
    const row = rows.get(key)
    if (row === undefined) return []
    const { id, report, idempotencyKey, handler, state, attempts, dueMs, leaseId } = row
    const { error, relayedAtMs } = row
    const runs = { attempts, dueAtMs: dueMs, isRunning: leaseId !== undefined }
    const task = { id, reportId: report.id, idempotencyKey, handler, state, ...runs }
    const relayed = relayedAtMs === undefined ? {} : { relayedAtMs }
    return [{ ...task, ...relayed, ...(error !== '' && { error }) }]
  })
}

/** See {@link Inbox.tasks.listDead}. */
export function listDeadLetters({ dead }: TaskTable, limit: number): DeadLetter[] {
  return [...dead].slice(0, limit).map(({ report, ...row }) => {
    const { id, idempotencyKey, handler, attempts, error } = row
    const { id: reportId, merchant, reference } = report
    return { id, reportId, merchant, reference, idempotencyKey, handler, attempts, error }
  })
}

/** Resets a dead or a relayed task. @returns false without such a task. */
export function replayTask(table: TaskTable, id: string): boolean {
  const row = [...table.dead, ...table.relayed].find((one) => one.id === id)
  if (row !== undefined) reset(table, row)
  return row !== undefined
}

/** Resets the dead tasks that match. @returns how many. */
export function replayTasks(table: TaskTable, filter: DeadLetterFilter): number {
  const matching = [...table.dead].filter(
    (row) =>
      (filter.name ?? row.report.name) === row.report.name &&
      (filter.merchant ?? row.report.merchant) === row.report.merchant &&
      (filter.handler ?? row.handler) === row.handler &&
      (filter.reference ?? row.report.reference) === row.report.reference,
  )
  for (const row of matching) reset(table, row)
  return matching.length
}

function reset({ clock, open, relayed, dead }: TaskTable, row: TaskRow): void {
  Object.assign(row, { state: 'open', attempts: 0, dueMs: 0, sinceMs: clock.nowMs() })
  for (const table of [relayed, dead]) table.delete(row)
  open.add(row)
}

/** Ends the proofs among these tasks that have used all their attempts. */
export function endDeadProofs({ rows, dead }: TaskTable, keys: readonly string[]): void {
  for (const row of keys.flatMap((key) => rows.get(key) ?? [])) {
    if (row.handler === PROOF_TASK && dead.delete(row)) row.state = 'done'
  }
}

/** Returns when open tasks began to wait and relayed ones were handed over, and how many are dead; of one Payments or of all. */
export function countTasks({ open, relayed, dead }: TaskTable, name: string | undefined) {
  const isCounted = ({ report }: TaskRow): boolean => name === undefined || report.name === name
  // A proof is counted with its report, which is parked.
  const openRows = [...open].filter((row) => isCounted(row) && row.handler !== PROOF_TASK)
  return {
    openSinceMs: openRows.map(({ sinceMs }) => sinceMs),
    relayedSinceMs: [...relayed].filter(isCounted).map(({ relayedAtMs = 0 }) => relayedAtMs),
    dead: [...dead].filter(isCounted).length,
  }
}

/** Returns when the first task of these handlers, or of any, is due. */
export function nextTaskDueMs(
  { open }: TaskTable,
  { name, handlers }: Parameters<Inbox['processes']['nextDueInMs']>[0],
): number {
  let nextMs = Infinity
  for (const { report, handler, dueMs } of open) {
    const isMeant = report.name === name && (handlers?.includes(handler) ?? true)
    if (isMeant && dueMs < nextMs) nextMs = dueMs
  }
  return nextMs
}

/** Deletes the open and the relayed tasks of a handler. */
export function forgetHandler(
  { rows, open, relayed }: TaskTable,
  { name, handler }: Parameters<Inbox['processes']['unsubscribe']>[0],
): void {
  for (const row of [...open, ...relayed]) {
    if (row.report.name !== name || row.handler !== handler) continue
    for (const table of [open, relayed]) table.delete(row)
    rows.delete(row.idempotencyKey)
  }
}
