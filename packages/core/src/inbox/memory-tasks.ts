import type {
  DeadHandlerTask,
  DeadTaskFilter,
  Delivery,
  HandlerOutcome,
  HandlerTask,
  Inbox,
  NewHandlerTask,
} from './inbox.js'
import { PROOF_TASK } from './proof-task.js'

type TaskClaim = Parameters<Inbox['claimTasks']>[0]
type Runnable = Pick<TaskClaim, 'receiver' | 'handlers'>

type DeadTask = Pick<TaskRow, 'id' | 'handler' | 'delivery'>

interface TaskRow extends NewHandlerTask {
  id: string
  delivery: Delivery
  attempts: number
  /** When it may be claimed; while it runs, the end of its lease. */
  dueMs: number
  leaseId: string | undefined
  error: string
  /** When its delivery came, or it was replayed. */
  sinceMs: number
}

/** The handler tasks of the memory inbox, one per idempotency key. */
export function memoryTasks() {
  const rows = new Map<string, TaskRow>()
  const open = new Set<TaskRow>()
  const dead = new Set<TaskRow>()
  let lastId = 0

  const held = (task: HandlerTask): TaskRow | undefined => {
    const row = rows.get(task.idempotencyKey)
    return row?.leaseId === task.leaseId ? row : undefined
  }
  const lease = (row: TaskRow, leaseUntilMs: number): HandlerTask => {
    const leaseId = `lease-${++lastId}`
    Object.assign(row, { attempts: row.attempts + 1, dueMs: leaseUntilMs, leaseId })
    const { id, delivery, idempotencyKey, handler, attempts } = row
    return { id, deliveryId: delivery.id, idempotencyKey, handler, attempt: attempts, leaseId }
  }

  return {
    /** Adds what is not known yet. @returns the keys of the added tasks. */
    add(delivery: Delivery, tasks: readonly NewHandlerTask[]): string[] {
      const added = tasks.filter(({ idempotencyKey }) => !rows.has(idempotencyKey))
      for (const task of added) {
        const sinceMs = delivery.receivedAtMs
        const state = { attempts: 0, dueMs: 0, leaseId: undefined, error: '', sinceMs }
        const row = { ...task, id: `task-${++lastId}`, delivery, ...state }
        rows.set(task.idempotencyKey, row)
        open.add(row)
      }
      return added.map(({ idempotencyKey }) => idempotencyKey)
    },
    claim(query: TaskClaim): HandlerTask[] {
      const claimed: HandlerTask[] = []
      for (const row of open) {
        if (claimed.length === query.limit) break
        if (row.dueMs > query.nowMs || !isRunnable(row, query)) continue
        claimed.push(lease(row, query.leaseUntilMs))
      }
      return claimed
    },
    extend(task: HandlerTask, leaseUntilMs: number): boolean {
      const row = held(task)
      if (row !== undefined) row.dueMs = leaseUntilMs
      return row !== undefined
    },
    finish(task: HandlerTask, outcome: HandlerOutcome): boolean {
      const row = held(task)
      if (row === undefined) return false
      row.leaseId = undefined
      if (outcome.kind === 'retry') row.dueMs = outcome.retryAtMs
      else open.delete(row)
      if (outcome.kind === 'dead') dead.add(row)
      if (outcome.kind !== 'done') row.error = outcome.error
      return true
    },
    listDead(limit: number): DeadHandlerTask[] {
      return [...dead]
        .slice(0, limit)
        .map(({ id, delivery, idempotencyKey, handler, attempts, error }) => {
          return { id, deliveryId: delivery.id, idempotencyKey, handler, attempts, error }
        })
    },
    /** Gives every dead task that `fits` its attempts back. @returns how many. */
    replay(fits: (task: DeadTask) => boolean, sinceMs = Date.now()): number {
      const again = [...dead].filter(fits)
      for (const row of again) {
        Object.assign(row, { attempts: 0, dueMs: 0, sinceMs })
        dead.delete(row)
        open.add(row)
      }
      return again.length
    },
    /** Since when the open tasks of a receiver, or of all, wait; and how many are dead. */
    stats(receiver: string | undefined): { openSinceMs: number[]; dead: number } {
      const ofReceiver = ({ delivery }: TaskRow): boolean =>
        receiver === undefined || delivery.receiver === receiver
      // A proof that goes on is counted with its delivery, which is parked.
      const openRows = [...open].filter((row) => ofReceiver(row) && row.handler !== PROOF_TASK)
      return {
        openSinceMs: openRows.map(({ sinceMs }) => sinceMs),
        dead: [...dead].filter(ofReceiver).length,
      }
    },
    nextDueMs(query: Runnable): number {
      let nextMs = Infinity
      for (const row of open) {
        if (row.dueMs < nextMs && isRunnable(row, query)) nextMs = row.dueMs
      }
      return nextMs
    },
    /** The deliveries with a task that is still to run, or dead. */
    unfinished(): Delivery[] {
      return [...open, ...dead].map(({ delivery }) => delivery)
    },
    forget(keys: readonly string[]): void {
      for (const key of keys) rows.delete(key)
    },
  }
}

function isRunnable({ delivery, handler }: TaskRow, query: Runnable): boolean {
  return delivery.receiver === query.receiver && query.handlers.includes(handler)
}

/** Whether a dead task is one of those that a filter names. */
export function fitsFilter(
  { delivery, handler }: DeadTask,
  { receiver = delivery.receiver, handler: wanted = handler, reference }: DeadTaskFilter,
): boolean {
  return (
    delivery.receiver === receiver &&
    handler === wanted &&
    (reference === undefined || delivery.reference === reference)
  )
}
