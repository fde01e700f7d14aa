import { systemClock, type Clock } from '../../shared/clock.js'
import type { Report, StoredDecision, DecisionRecord } from './inbox-reports.js'
import { handlerTaskKey } from './handler-task-key.js'
import type { Inbox } from './inbox.js'
import type { DecisionKind } from '../orders/decision.js'
import { memoryCredits } from './memory-credits.js'
import { sumCredits, sumPrices } from './memory-sums.js'
import { memoryRegistrations } from './memory-registrations.js'
import {
  changeReport,
  claimReports,
  closeReport,
  countReports,
  createReportTable,
  earliestDueMs,
  findValues,
  insertReport,
  isOpen,
  listReports,
  matchReports,
  openReports,
  postponeReport,
  redecideReports,
  rereadReport,
  rowsOf,
  type ReportTable,
} from './memory-reports.js'
import {
  addTasks,
  claimRelay,
  claimTasks,
  countTasks,
  createTaskTable,
  endDeadProofs,
  extendLease,
  finishRelayed,
  finishTask,
  forgetHandler,
  listDeadLetters,
  listRelayed,
  listTasks,
  nextTaskDueMs,
  replayTask,
  replayTasks,
  type TaskTable,
} from './memory-tasks.js'

const MAX_REPORTS = 10_000
// In one pass now and then: the first entries of a Map that was often deleted from are slow to reach.
const FORGOTTEN_AT_ONCE = 1000

interface Tables {
  reports: ReportTable
  tasks: TaskTable
  registrations: ReturnType<typeof memoryRegistrations>
  /** The decisions about credits, by name and credit. */
  told: Map<string, { reportId: string; kind: DecisionKind }>
}

/**
 * Creates an {@link Inbox} for development and tests. Everything is lost when the process ends. It keeps at least the last
 * 10 000 reports and all unfinished ones, and all claims.
 * @param options `clock` is the clock of Payments, by default the system's.
 */
export function memoryInbox({ clock = systemClock }: { clock?: Clock | undefined } = {}): Inbox {
  const reports = createReportTable(clock)
  const tasks = createTaskTable(clock)
  const registrations = memoryRegistrations(clock)
  const credits = memoryCredits(clock)
  const tables: Tables = { reports, tasks, registrations, told: new Map() }
  const nextDueIn = (
    query: Parameters<Inbox['processes']['nextDueInMs']>[0],
  ): number | undefined => {
    const nextMs = Math.min(nextTaskDueMs(tasks, query), earliestDueMs(reports, query.name))
    return nextMs === Infinity ? undefined : Math.max(0, nextMs - clock.nowMs())
  }
  return {
    name: 'memory',
    isDurable: false,
    reports: reportMethods(tables),
    tasks: taskMethods(tables),
    credits,
    processes: {
      register: async (registration) => {
        const pinned = registrations.register(registration)
        const { name, nextDue } = registration
        return nextDue === undefined
          ? pinned
          : { ...pinned, nextDueInMs: nextDueIn({ name, ...nextDue }) }
      },
      unsubscribe: async ({ name, handler }) => {
        forgetHandler(tasks, { name, handler })
        return registrations.unsubscribe(name, handler)
      },
      nextDueInMs: async (query) => nextDueIn(query),
    },
    stats: async ({ name } = {}) => {
      const { undecidedSinceMs, parked, unreadable } = countReports(reports, name)
      const { openSinceMs, relayedSinceMs, dead } = countTasks(tasks, name)
      const ageOf = (times: number[]): number | undefined =>
        times.length === 0 ? undefined : Math.max(0, clock.nowMs() - Math.min(...times))
      return {
        undecided: undecidedSinceMs.length,
        parked,
        unreadable,
        open: openSinceMs.length,
        relayed: relayedSinceMs.length,
        dead,
        oldestOpenAgeMs: ageOf([...undecidedSinceMs, ...openSinceMs]),
        oldestRelayedAgeMs: ageOf(relayedSinceMs),
      }
    },
    sums: async (period) => ({
      credits: await sumCredits(credits, period),
      ...sumPrices(reports, period),
    }),
  }
}

function reportMethods(tables: Tables): Inbox['reports'] {
  const { reports, tasks, registrations } = tables
  const { rows, clock } = reports
  const forget = (limit: number, isOld: (report: Report) => boolean): number =>
    forgetFinished(reports, tasks, { limit, isOld })
  let forgetAbove = MAX_REPORTS + FORGOTTEN_AT_ONCE
  return {
    store: async (given) => {
      const { report } = insertReport(reports, given)
      if (rows.size > forgetAbove) {
        forget(FORGOTTEN_AT_ONCE, () => true)
        // Unfinished reports are kept, however many there are.
        forgetAbove = Math.max(MAX_REPORTS, rows.size) + FORGOTTEN_AT_ONCE
      }
      return report
    },
    decide: async (reportId, record) => decide(tables, reportId, record),
    claim: async (query) =>
      registrations.isPinned(query.name, query.policy) ? claimReports(reports, query) : [],
    postpone: async (reportId, retryInMs) => {
      const row = rows.get(reportId)
      if (row !== undefined && isOpen(reports, row)) postponeReport(reports, row, retryInMs)
    },
    reread: async (reportId, reading) => {
      const row = rows.get(reportId)
      if (row !== undefined) rereadReport(reports, row, reading)
    },
    orderCreated: async (query) => matchReports(reports, query),
    redecide: async (filter) => {
      const again = redecideReports(reports, filter)
      for (const { taskKeys } of again) endDeadProofs(tasks, taskKeys)
      return again.length
    },
    find: async (reportId) => rows.get(reportId)?.report ?? null,
    list: async (query) =>
      listReports(reports, query, new Set([...tasks.dead].map(({ report }) => report.id))),
    findValues: async (parts) => findValues(reports, parts),
    recordAction: async (action) => {
      rows.get(action.reportId)?.actions.push({ ...action, atMs: clock.nowMs() })
    },
    listActions: async ({ reportIds }) =>
      rowsOf(reports, reportIds)
        .flatMap(({ actions }) => actions)
        .toReversed()
        .toSorted((one, other) => other.atMs - one.atMs),
    forget: async ({ name, olderThanMs, limit }) =>
      forget(
        limit,
        (report) => report.name === name && report.receivedAtMs < clock.nowMs() - olderThanMs,
      ),
  }
}

function taskMethods({ reports, tasks }: Tables): Inbox['tasks'] {
  return {
    list: async ({ reportIds }) =>
      listTasks(
        tasks,
        rowsOf(reports, reportIds).flatMap(({ taskKeys }) => taskKeys),
      ),
    claim: async (query) => claimTasks(tasks, query),
    claimRelay: async (query) => claimRelay(tasks, query),
    extendLease: async (task, leaseMs) => extendLease(tasks, task, leaseMs),
    finish: async (task, outcome) => finishTask(tasks, task, outcome),
    finishRelayed: async (query) => finishRelayed(tasks, query),
    listRelayed: async (query) => listRelayed(tasks, query),
    listDead: async ({ limit }) => listDeadLetters(tasks, limit),
    replay: async (taskId) => replayTask(tasks, taskId),
    replayWhere: async (filter) => replayTasks(tasks, filter),
  }
}

function decide(
  { reports, tasks, registrations, told }: Tables,
  reportId: string,
  { decision, event, retryInMs, tasks: further = [] }: DecisionRecord,
): StoredDecision {
  const row = reports.rows.get(reportId)
  if (row === undefined) throw new RangeError(`The inbox has no report ${reportId}`)
  const { state, decision: standing } = row.report
  const isFinal = state === 'decided' && (standing?.kind === 'paid' || decision.kind !== 'paid')
  if (standing !== undefined && isFinal) return { isRecorded: false, decision: standing }
  const { kind } = decision
  const credit = 'credit' in decision ? decision.credit : undefined
  if (credit !== undefined) {
    const key = JSON.stringify([row.report.name, credit])
    const first = told.get(key)
    const isFree = first === undefined || first.reportId === reportId
    const isRefined = first?.kind === 'unknown_order' && kind !== 'unknown_order'
    if (!isFree && !isRefined) return { isRecorded: false, decision, toldAs: first.kind }
    told.set(key, { reportId, kind })
  }
  const handlers = event === undefined ? [] : registrations.handlersOf(row.report.name, event)
  const scheduled = handlers.map((handler) => ({
    handler,
    idempotencyKey: handlerTaskKey(handler, { ...row.report, credit }),
  }))
  if (handlers.length + further.length > 0) {
    row.taskKeys.push(...addTasks(tasks, row.report, [...scheduled, ...further]))
  }
  if (retryInMs === undefined) closeReport(reports, row)
  else postponeReport(reports, row, retryInMs)
  changeReport(row, { decision, state: retryInMs === undefined ? 'decided' : 'parked' })
  return { isRecorded: true, decision }
}

/** Deletes old reports, oldest first, unless their order has an unfinished report or task. @returns how many. */
function forgetFinished(
  reports: ReportTable,
  tasks: TaskTable,
  { limit, isOld }: { limit: number; isOld: (report: Report) => boolean },
): number {
  const { rows, byKey, unreadable } = reports
  const { open, relayed, dead } = tasks
  const unfinished = [...openReports(reports), ...unreadable, ...open, ...relayed, ...dead]
  const kept = new Set(unfinished.map(({ report }) => orderOf(report)))
  let forgotten = 0
  for (const { report, taskKeys, key } of rows.values()) {
    if (forgotten === limit) break
    if (!isOld(report) || (kept.size > 0 && kept.has(orderOf(report)))) continue
    for (const taskKey of taskKeys) tasks.rows.delete(taskKey)
    rows.delete(report.id)
    byKey.delete(key)
    forgotten++
  }
  return forgotten
}

/** Identifies the order of a report among the orders of all Payments. */
function orderOf({ name, merchant, reference }: Report): string {
  return JSON.stringify([name, merchant, reference])
}
