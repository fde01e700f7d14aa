import { randomUUID } from 'node:crypto'
import {
  isOrderKey,
  type Inbox,
  type ParsedBody,
  type RegistrationResult,
  type TaskOutcome,
} from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import { databaseOf, type Database } from './database.js'
import { toJson } from './json.js'
import { joinByStatement } from './join-by-statement.js'
import { joinByTransaction, type WithTransaction } from './join-by-transaction.js'
import { canMatch, filterValues, findValues, listReports } from './list-reports.js'
import { keyValues } from './order-rows.js'
import type { Queryable, Row } from './queryable.js'
import {
  number,
  optionalDuration,
  text,
  toAction,
  toDeadLetter,
  toRelayedTask,
  toReport,
  toTask,
  toTaskProgress,
} from './rows.js'
import * as actions from './sql/actions.js'
import { creditMethods } from './credit-methods.js'
import { onUnnamed } from './prepared-statements.js'
import * as registration from './sql/registration.js'
import * as reports from './sql/reports.js'
import * as tasks from './sql/tasks.js'
import { sumPeriod } from './sum-period.js'
import { insertValues, storeRow } from './store-row.js'
import { isId } from './is-id.js'
import { recordDecision } from './record-decision.js'
import { tableOrdersOf } from './table-orders.js'

export interface PostgresInboxOptions {
  /**
   * Runs `work` in one transaction of your database library, for a repository of your own in the same database. An order's
   * transition and the decision about its report then commit together. Without it, and for orders in another database, the
   * two are committed separately, and a crash in between is repaired when the report is decided again.
   * @default undefined; not needed for `mappedOrderRepository` and `postgresOrderRepository` on the same `db`
   */
  withTransaction?: WithTransaction | undefined
}

const OPTIONS = z.strictObject({
  withTransaction: z
    .custom<WithTransaction>(
      (value) => typeof value === 'function',
      'must be a function that runs work in a transaction',
    )
    .optional(),
} satisfies Record<keyof PostgresInboxOptions, z.ZodType>)

/**
 * Creates a durable {@link Inbox} in PostgreSQL or PGlite, which any number of processes can share. Its tables are in the
 * schema `tonplug` and are created before the first use; see `migratePostgres`. Due times and leases follow the database's
 * clock.
 * @param db a `Pool` of `pg`, or a `PGlite`. Its statements are prepared; behind a pooler that does not support that, they
 * are repeated without a name.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @throws {RepositoryError} from every method when the database cannot be reached; the sender then gets 503.
 * @example
 * const inbox = postgresInbox(new Pool({ connectionString: process.env.DATABASE_URL }))
 */
export function postgresInbox(db: Queryable, options: PostgresInboxOptions = {}): Inbox {
  const { withTransaction } = parseOptions(OPTIONS, options)
  const database = databaseOf(db)
  return {
    name: database.name,
    isDurable: database.isDurable,
    reports: reportMethods(database),
    tasks: taskMethods(database),
    credits: creditMethods(database),
    processes: processMethods(database),
    stats: statsOf(database),
    sums: (period) => sumPeriod(database, period),
    onNotice: (log) => onUnnamed(db, log),
    joinOrders: (orders) => {
      if (withTransaction !== undefined) return joinByTransaction(withTransaction)
      const table = tableOrdersOf(orders)
      return table?.database === database ? joinByStatement(table) : undefined
    },
  }
}

function processMethods(database: Database): Inbox['processes'] {
  return {
    register: async (given) => {
      const { name, policy, policyTtlMs, handlers, subscriptionTtlMs, nextDue } = given
      const ttls = [String(policyTtlMs), toJson(handlers), String(subscriptionTtlMs)]
      const values = [name, policy, ...ttls, String(given.isWatching === true)]
      if (nextDue === undefined) {
        const [row] = await database.run(registration.register, values)
        return pinnedOf(row)
      }
      const due = nextDue.handlers === undefined ? null : toJson(nextDue.handlers)
      const [row] = await database.run(registration.registerWithNextDue, [...values, due])
      return { ...pinnedOf(row), nextDueInMs: optionalDuration(row, 'due_in_ms') }
    },
    unsubscribe: async ({ name, handler }) =>
      (await database.run(registration.unsubscribe, [name, handler])).length > 0,
    nextDueInMs: async ({ name, handlers }) => {
      const [row] =
        handlers === undefined
          ? await database.run(tasks.nextDueOfAll, [name])
          : await database.run(tasks.nextDueOf, [name, toJson(handlers)])
      return optionalDuration(row, 'due_in_ms')
    },
    nowMs: async () => number((await database.run(registration.readClock, []))[0], 'now_ms'),
  }
}

function pinnedOf(row: Row | undefined): RegistrationResult {
  const policy = text(row, 'policy')
  return {
    policy,
    ...(row?.['has_other_names'] === 'true' && { hasOtherNames: true }),
    ...(row?.['is_watched'] === 'true' && { isWatched: true }),
  }
}

function reportMethods(database: Database): Inbox['reports'] {
  return {
    store: async (report) => {
      const { wasCompletedBefore, decision } = report
      const known = decision === undefined ? null : toJson(decision)
      const values = [...insertValues(report), String(wasCompletedBefore), known]
      return toReport(await storeRow(database, reports.storeReport, values))
    },
    decide: (reportId, record) => recordDecision(database.run, reportId, record),
    claim: async ({ name, policy, key, retryInMs, limit }) => {
      if (key !== undefined && !isOrderKey(key)) return []
      const values = [name, policy, String(retryInMs), String(limit)]
      const rows =
        key === undefined
          ? await database.run(reports.claimReports, values)
          : await database.run(reports.claimReportsOf, [...values, ...keyValues(key)])
      return rows.map(toReport)
    },
    postpone: async (reportId, retryInMs) => {
      if (isId(reportId)) await database.run(reports.postponeReport, [reportId, String(retryInMs)])
    },
    reread: async (reportId, reading) => {
      if (!isId(reportId)) return
      await database.run(reports.rereadReport, [reportId, ...readingValues(reading)])
    },
    orderCreated: async ({ name, ...key }) => {
      if (!isOrderKey(key)) return 0
      const [row] = await database.run(reports.orderCreated, [name, ...keyValues(key)])
      return number(row, 'count')
    },
    redecide: async (filter) => {
      if (!canMatch(filter)) return 0
      const [row] = await database.run(reports.redecideReports, filterValues(filter))
      return number(row, 'count')
    },
    find: async (reportId) => {
      if (!isId(reportId)) return null
      const [row] = await database.run(reports.findReport, [reportId])
      return row === undefined ? null : toReport(row)
    },
    list: (query) => listReports(database, query),
    findValues: (parts) => findValues(database, parts),
    recordAction: async ({ reportId, action, by, note }) => {
      if (!isId(reportId)) return
      await database.run(actions.recordAction, [reportId, action, by, note])
    },
    listActions: async ({ reportIds }) =>
      (await database.run(actions.listActions, [toJson(reportIds.filter(isId))])).map(toAction),
    forget: async ({ name, olderThanMs, limit }) => {
      const values = [name, String(olderThanMs), String(limit)]
      const [row] = await database.run(reports.forgetDecided, values)
      return number(row, 'count')
    },
  }
}

function readingValues(reading: ParsedBody): (string | null)[] {
  if ('problem' in reading) return [null, null, null, null, null, reading.problem, null, null]
  const { reference, txHash, traceId = null } = reading
  const { senderAddr = null, rawAmount = null, comment = null } = reading
  const wasCompleted = String(reading.wasCompletedBefore)
  return [reference, txHash, senderAddr, rawAmount, wasCompleted, null, comment, traceId]
}

function taskMethods(database: Database): Inbox['tasks'] {
  return {
    claim: async ({ name, limits, leaseMs }) => {
      const values = [name, String(leaseMs), randomUUID(), toJson(limits)]
      return (await database.run(tasks.claimTasks, values)).map(toTask)
    },
    claimRelay: async ({ name, leaseMs, limit }) => {
      const values = [name, String(leaseMs), randomUUID(), String(limit)]
      return (await database.run(tasks.claimRelay, values)).map(toTask)
    },
    extendLease: async ({ id, leaseId }, leaseMs) =>
      (await database.run(tasks.extendLease, [id, leaseId, String(leaseMs)])).length > 0,
    finish: async ({ id, leaseId }, outcome) =>
      (await database.run(tasks.finishTask, [id, leaseId, ...outcomeValues(outcome)])).length > 0,
    finishRelayed: async ({ name, idempotencyKey, outcome }) => {
      const error = outcome.kind === 'dead' ? outcome.error : null
      const values = [name, idempotencyKey, outcome.kind, error]
      return (await database.run(tasks.finishRelayed, values)).length > 0
    },
    listRelayed: async ({ name, limit }) =>
      (await database.run(tasks.listRelayed, [name, String(limit)])).map(toRelayedTask),
    list: async ({ reportIds }) =>
      (await database.run(tasks.listTasks, [toJson(reportIds.filter(isId))])).map(toTaskProgress),
    listDead: async ({ limit }) =>
      (await database.run(tasks.listDeadLetters, [String(limit)])).map(toDeadLetter),
    replay: async (taskId) =>
      isId(taskId) && (await database.run(tasks.replayTask, [taskId])).length > 0,
    replayWhere: async ({ name, merchant, handler, reference }) => {
      const values = [name ?? null, merchant ?? null, handler ?? null, reference ?? null]
      const [row] = await database.run(tasks.replayTasks, values)
      return number(row, 'count')
    },
  }
}

function statsOf(database: Database): Inbox['stats'] {
  return async ({ name } = {}) => {
    const [row] = await database.run(reports.countOpen, [name ?? null])
    const problem = row?.['problem']
    return {
      undecided: number(row, 'undecided'),
      parked: number(row, 'parked'),
      unreadable: number(row, 'unreadable'),
      open: number(row, 'open'),
      relayed: number(row, 'relayed'),
      dead: number(row, 'dead'),
      oldestOpenAgeMs: optionalDuration(row, 'oldest_age_ms'),
      oldestRelayedAgeMs: optionalDuration(row, 'oldest_relayed_age_ms'),
      ...(typeof problem === 'string' && { problem }),
    }
  }
}

/** Returns the new state, the delay of the next run, and the error. */
function outcomeValues(outcome: TaskOutcome): (string | null)[] {
  switch (outcome.kind) {
    case 'done':
    case 'relayed':
      return [outcome.kind, null, null]
    case 'dead':
      return ['dead', null, outcome.error]
    case 'retry':
      return ['open', String(outcome.retryInMs), outcome.error]
  }
}
