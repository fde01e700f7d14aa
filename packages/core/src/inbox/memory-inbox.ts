import type { Decision } from '../orders/decision.js'
import type { Delivery, Inbox, NewDelivery } from './inbox.js'
import { fitsFilter, memoryTasks } from './memory-tasks.js'

const MAX_DELIVERIES = 10_000
/** Due since ever: what is matched stays so, whatever a look that began before makes of it. */
const MATCHED_MS = 0
const MAX_PAYMENTS = 100_000
// In one pass now and then: the first entries of a Map that was often deleted from are slow to reach.
const FORGOTTEN_AT_ONCE = 1000

interface DeliveryRow {
  /** As it is handed out: never changed, only replaced. */
  delivery: Delivery
  retryAtMs: number
  taskKeys: string[]
}

/**
 * An {@link Inbox} for development and tests: it forgets everything when the process ends, so that a crash between
 * an order's transition and its handlers loses the handlers' runs. It keeps at least the last 10 000 deliveries, and
 * all that are not finished; and of the last 100 000 proven payments which orders they paid.
 */
export function memoryInbox(): Inbox {
  const rows = new Map<string, DeliveryRow>()
  const byKey = new Map<string, DeliveryRow>()
  const open = new Set<DeliveryRow>()
  const payments = new Map<string, string>()
  const tasks = memoryTasks()
  let lastId = 0
  // No open delivery is due before; it may be earlier than the earliest.
  let nothingDueBeforeMs = Infinity

  const insert = ({ retryAtMs, ...given }: NewDelivery): DeliveryRow => {
    const id = `delivery-${++lastId}`
    const delivery: Delivery = { ...given, id, state: 'undecided', attempts: 0 }
    const row: DeliveryRow = { delivery, retryAtMs, taskKeys: [] }
    rows.set(id, row)
    byKey.set(delivery.key, row)
    open.add(row)
    putOff(row, retryAtMs)
    if (rows.size > MAX_DELIVERIES + FORGOTTEN_AT_ONCE) forgetOldestFinished()
    return row
  }
  const putOff = (row: DeliveryRow, retryAtMs: number): void => {
    row.retryAtMs = retryAtMs
    nothingDueBeforeMs = Math.min(nothingDueBeforeMs, retryAtMs)
  }
  /** Rows stand in the order in which they came. */
  const forgetOldestFinished = (
    limit = FORGOTTEN_AT_ONCE,
    isOld: (delivery: Delivery) => boolean = () => true,
  ): number => {
    const unfinished = new Set(
      [...[...open].map(({ delivery }) => delivery), ...tasks.unfinished()].map(orderOf),
    )
    let forgotten = 0
    for (const row of rows.values()) {
      if (forgotten === limit) break
      const { delivery, taskKeys } = row
      if (!isOld(delivery) || unfinished.has(orderOf(delivery))) continue
      tasks.forget(taskKeys)
      rows.delete(delivery.id)
      byKey.delete(delivery.key)
      forgotten++
    }
    return forgotten
  }
  const claim = ({
    receiver,
    reference,
    nowMs,
    retryAtMs,
    limit,
  }: DeliveryClaim): DeliveryRow[] => {
    if (nowMs < nothingDueBeforeMs) return []
    const isDue = ({ delivery, retryAtMs: dueMs }: DeliveryRow): boolean =>
      delivery.receiver === receiver &&
      dueMs <= nowMs &&
      (reference === undefined || delivery.reference === reference)
    const due = [...open].filter(isDue).slice(0, limit)
    for (const row of due) {
      row.retryAtMs = retryAtMs
      row.delivery = { ...row.delivery, attempts: row.delivery.attempts + 1 }
    }
    nothingDueBeforeMs = earliest(open)
    return due
  }

  return {
    name: 'memory',
    isDurable: false,
    store: async (delivery) => (byKey.get(delivery.key) ?? insert(delivery)).delivery,
    decide: async (deliveryId, { decision, tasks: newTasks, retryAtMs }) => {
      const row = rows.get(deliveryId)
      if (row === undefined) throw new RangeError(`The inbox has no delivery ${deliveryId}`)
      const { state, decision: standing } = row.delivery
      if (standing !== undefined && isFinal(row.delivery, decision)) {
        return { isRecorded: false, decision: standing }
      }
      row.taskKeys.push(...tasks.add(row.delivery, newTasks))
      const isMatched = state === 'parked' && row.retryAtMs === MATCHED_MS
      row.delivery = {
        ...row.delivery,
        decision,
        state: retryAtMs === undefined ? 'decided' : 'parked',
      }
      if (retryAtMs === undefined) open.delete(row)
      else if (!isMatched) putOff(row, retryAtMs)
      return { isRecorded: true, decision }
    },
    claimDeliveries: async (query) => claim(query).map(({ delivery }) => delivery),
    postpone: async (deliveryId, retryAtMs) => {
      const row = rows.get(deliveryId)
      if (row !== undefined) putOff(row, retryAtMs)
    },
    matchReference: async ({ receiver, reference }) => {
      const isWaiting = ({ delivery }: DeliveryRow): boolean =>
        delivery.state === 'parked' &&
        delivery.receiver === receiver &&
        delivery.reference === reference
      const parked = [...open].filter(isWaiting)
      for (const row of parked) putOff(row, MATCHED_MS)
      return parked.length
    },
    find: async (deliveryId) => rows.get(deliveryId)?.delivery ?? null,
    claimTasks: async (query) => tasks.claim(query),
    extendLease: async (task, leaseUntilMs) => tasks.extend(task, leaseUntilMs),
    finishTask: async (task, outcome) => tasks.finish(task, outcome),
    listDead: async ({ limit }) => tasks.listDead(limit),
    nextDueMs: async ({ receiver, handlers }) => {
      const ofTasks = tasks.nextDueMs({ receiver, handlers })
      const nextMs = Math.min(ofTasks, earliest(open, receiver))
      return nextMs === Infinity ? undefined : nextMs
    },
    stats: async ({ receiver } = {}) => {
      const ofReceiver = [...open]
        .map(({ delivery }) => delivery)
        .filter((delivery) => receiver === undefined || delivery.receiver === receiver)
      const undecided = ofReceiver.filter(({ state }) => state === 'undecided')
      const ofTasks = tasks.stats(receiver)
      const times = [...undecided.map(({ receivedAtMs }) => receivedAtMs), ...ofTasks.openSinceMs]
      return {
        undecided: undecided.length,
        parked: ofReceiver.length - undecided.length,
        open: ofTasks.openSinceMs.length,
        dead: ofTasks.dead,
        oldestOpenMs: times.length === 0 ? undefined : Math.min(...times),
      }
    },
    replay: async (taskId, nowMs) => tasks.replay(({ id }) => id === taskId, nowMs) > 0,
    replayWhere: async (filter, nowMs) => tasks.replay((task) => fitsFilter(task, filter), nowMs),
    forgetDecided: async ({ receiver, receivedBeforeMs, limit }) =>
      forgetOldestFinished(
        limit,
        (delivery) => delivery.receiver === receiver && delivery.receivedAtMs < receivedBeforeMs,
      ),
    claimPayment: async ({ payment, reference }) => {
      const holder = payments.get(payment) ?? reference
      payments.set(payment, holder)
      const [oldest] = payments.keys()
      if (payments.size > MAX_PAYMENTS && oldest !== undefined) payments.delete(oldest)
      return holder
    },
  }
}

type DeliveryClaim = Parameters<Inbox['claimDeliveries']>[0]

/** Names the order that a delivery is for, among those of all receivers. */
function orderOf({ receiver, reference }: Delivery): string {
  return JSON.stringify([receiver, reference])
}

/** When the first of the rows is due, of one receiver or of all. */
function earliest(rows: Iterable<DeliveryRow>, receiver?: string): number {
  let earliestMs = Infinity
  for (const { delivery, retryAtMs } of rows) {
    if (receiver !== undefined && delivery.receiver !== receiver) continue
    if (retryAtMs < earliestMs) earliestMs = retryAtMs
  }
  return earliestMs
}

function isFinal({ state, decision: standing }: Delivery, decision: Decision): boolean {
  return state === 'decided' && (standing?.kind === 'paid' || decision.kind !== 'paid')
}
