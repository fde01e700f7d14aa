import type { Decision } from '../orders/decision.js'
import type { Delivery, Inbox, NewDelivery } from './inbox.js'
import { memoryTasks } from './memory-tasks.js'

const MAX_DELIVERIES = 10_000
// In one pass now and then: the first entries of a Map that was often deleted from are slow to reach.
const FORGOTTEN_AT_ONCE = 1000

interface DeliveryRow extends Delivery {
  retryAtMs: number
  taskKeys: string[]
}

/**
 * An {@link Inbox} for development and tests: it forgets everything when the process ends, so that a crash between
 * an acknowledgement and a handler loses the handler's run. It keeps at least the last 10 000 deliveries, and all
 * that are not finished.
 */
export function memoryInbox(): Inbox {
  const rows = new Map<string, DeliveryRow>()
  const byKey = new Map<string, DeliveryRow>()
  const open = new Set<DeliveryRow>()
  const tasks = memoryTasks()
  let lastId = 0

  const insert = ({ retryAtMs, ...delivery }: NewDelivery): DeliveryRow => {
    const id = `delivery-${++lastId}`
    const row: DeliveryRow = {
      ...delivery,
      id,
      state: 'undecided',
      attempts: 0,
      retryAtMs,
      taskKeys: [],
    }
    rows.set(id, row)
    byKey.set(row.key, row)
    open.add(row)
    if (rows.size > MAX_DELIVERIES + FORGOTTEN_AT_ONCE) forgetOldestFinished()
    return row
  }
  const forgetOldestFinished = (): void => {
    let left = FORGOTTEN_AT_ONCE
    for (const row of rows.values()) {
      if (row.state !== 'decided' || !tasks.forget(row.taskKeys)) continue
      rows.delete(row.id)
      byKey.delete(row.key)
      if (--left === 0) return
    }
  }

  return {
    name: 'memory',
    isDurable: false,
    store: async (delivery) => toDelivery(byKey.get(delivery.key) ?? insert(delivery)),
    decide: async (deliveryId, { decision, tasks: newTasks, retryAtMs }) => {
      const row = rows.get(deliveryId)
      if (row === undefined) throw new RangeError(`The inbox has no delivery ${deliveryId}`)
      if (row.decision !== undefined && isFinal(row, decision)) {
        return { isRecorded: false, decision: row.decision }
      }
      row.taskKeys.push(...tasks.add(deliveryId, newTasks))
      row.decision = decision
      row.state = retryAtMs === undefined ? 'decided' : 'parked'
      if (retryAtMs === undefined) open.delete(row)
      else row.retryAtMs = retryAtMs
      return { isRecorded: true, decision }
    },
    claimDeliveries: async ({ nowMs, retryAtMs, limit }) => {
      const due = [...open].filter((row) => row.retryAtMs <= nowMs).slice(0, limit)
      for (const row of due) Object.assign(row, { retryAtMs, attempts: row.attempts + 1 })
      return due.map(toDelivery)
    },
    matchReference: async (reference, nowMs) => {
      const parked = [...open].filter(
        (row) => row.state === 'parked' && row.reference === reference,
      )
      for (const row of parked) row.retryAtMs = nowMs
      return parked.length
    },
    find: async (deliveryId) => {
      const row = rows.get(deliveryId)
      return row === undefined ? null : toDelivery(row)
    },
    claimTasks: async (query) => tasks.claim(query),
    extendLease: async (task, leaseUntilMs) => tasks.extend(task, leaseUntilMs),
    finishTask: async (task, outcome) => tasks.finish(task, outcome),
    listDead: async ({ limit }) => tasks.listDead(limit),
    nextDueMs: async ({ handlers }) => {
      let nextMs = tasks.nextDueMs(handlers)
      for (const { retryAtMs } of open) nextMs = Math.min(nextMs, retryAtMs)
      return nextMs === Infinity ? undefined : nextMs
    },
  }
}

function toDelivery({
  retryAtMs: _retryAtMs,
  taskKeys: _taskKeys,
  ...delivery
}: DeliveryRow): Delivery {
  return delivery
}

function isFinal({ state, decision: standing }: DeliveryRow, decision: Decision): boolean {
  return state === 'decided' && (standing?.kind === 'paid' || decision.kind !== 'paid')
}
