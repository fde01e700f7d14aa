import { randomUUID } from 'node:crypto'
import { checkOptionNames, type HandlerOutcome, type Inbox } from '@tonplug/core'
import { databaseOf, type Database } from './database.js'
import { storableText } from './json.js'
import { joinByStatement } from './join-by-statement.js'
import { joinByTransaction, type WithTransaction } from './join-by-transaction.js'
import { databaseOfOrders } from './postgres-order-repository.js'
import type { Queryable, Row } from './queryable.js'
import { number, optionalText, text, toDeadTask, toDelivery, toTask } from './rows.js'
import * as deliveries from './sql/deliveries.js'
import * as tasks from './sql/tasks.js'
import { insertValues, storeRow } from './store-row.js'
import { isId, recordVerdict } from './verdict.js'

export interface PostgresInboxOptions {
  /**
   * For orders that your database library keeps in this same database: runs `work` in one of its transactions. An
   * order's transition and the decision about its delivery then commit together. Without it, and for orders in
   * another database, each is made by itself, and a crash in between is repaired by the next look at the delivery.
   * @default undefined; orders of `postgresOrderRepository` need none
   */
  withTransaction?: WithTransaction | undefined
}

const NAMES: Record<keyof PostgresInboxOptions, true> = { withTransaction: true }

/**
 * An {@link Inbox} in PostgreSQL or PGlite. It outlives crashes and is shared by any number of servers. Its tables are
 * in the schema `tonplug` and are made at the first use; see `migratePostgres`.
 * @param db a `Pool` of `pg`, or a `PGlite`. Of a transaction pooler without prepared statements, give
 * `{ query: (text, values) => pool.query(text, values) }`.
 * @throws {ConfigurationError} for an option that does not exist.
 * @throws every method {@link RepositoryError} when the database cannot be reached; a delivery is then answered 503.
 * @example
 * const inbox = postgresInbox(new Pool({ connectionString: process.env.DATABASE_URL }))
 */
export function postgresInbox(db: Queryable, options: PostgresInboxOptions = {}): Inbox {
  checkOptionNames(options, Object.keys(NAMES))
  const database = databaseOf(db)
  const { withTransaction } = options
  return {
    name: database.name,
    isDurable: database.isDurable,
    store: async (delivery) => {
      const values = [...insertValues(delivery), String(delivery.wasCompletedBefore)]
      return toDelivery(await storeRow(database, deliveries.storeDelivery, values))
    },
    decide: (deliveryId, verdict) => recordVerdict(database.run, deliveryId, verdict),
    claimPayment: async ({ payment, reference }) => {
      const [row] = await database.run(deliveries.claimPayment, [payment, reference])
      return text(row, 'reference')
    },
    ...deliveryMethods(database),
    ...taskMethods(database),
    ...upkeepMethods(database),
    joinOrders: (orders) => {
      if (withTransaction !== undefined) return joinByTransaction(withTransaction)
      return databaseOfOrders(orders) === database ? joinByStatement(database) : undefined
    },
  }
}

type DeliveryMethods = Pick<
  Inbox,
  'claimDeliveries' | 'postpone' | 'matchReference' | 'find' | 'nextDueMs'
>

function deliveryMethods(database: Database): DeliveryMethods {
  return {
    claimDeliveries: async ({ receiver, reference, nowMs, retryAtMs, limit }) => {
      const values = [receiver, String(nowMs), String(retryAtMs), String(limit)]
      const rows =
        reference === undefined
          ? await database.run(deliveries.claimDeliveries, values)
          : await database.run(deliveries.claimDeliveriesOf, [...values, reference])
      return rows.map(toDelivery)
    },
    postpone: async (deliveryId, retryAtMs) => {
      if (!isId(deliveryId)) return
      await database.run(deliveries.postponeDelivery, [deliveryId, String(retryAtMs)])
    },
    matchReference: async ({ receiver, reference }) => {
      const [row] = await database.run(deliveries.matchReference, [receiver, reference])
      return number(row, 'count')
    },
    find: async (deliveryId) => {
      if (!isId(deliveryId)) return null
      const [row] = await database.run(deliveries.findDelivery, [deliveryId])
      return row === undefined ? null : toDelivery(row)
    },
    nextDueMs: async ({ receiver, handlers }) => {
      const [row] = await database.run(tasks.nextDue, [receiver, JSON.stringify(handlers)])
      return optionalNumber(row, 'next_ms')
    },
  }
}

type TaskMethods = Pick<Inbox, 'claimTasks' | 'extendLease' | 'finishTask'>

function taskMethods(database: Database): TaskMethods {
  return {
    claimTasks: async ({ receiver, handlers, nowMs, leaseUntilMs, limit }) => {
      const rows = await database.run(tasks.claimTasks, [
        receiver,
        JSON.stringify(handlers),
        String(nowMs),
        String(leaseUntilMs),
        String(limit),
        randomUUID(),
      ])
      return rows.map(toTask)
    },
    extendLease: async ({ id, leaseId }, leaseUntilMs) => {
      const rows = await database.run(tasks.extendLease, [id, leaseId, String(leaseUntilMs)])
      return rows.length > 0
    },
    finishTask: async ({ id, leaseId }, outcome) => {
      const rows = await database.run(tasks.finishTask, [id, leaseId, ...outcomeValues(outcome)])
      return rows.length > 0
    },
  }
}

type UpkeepMethods = Pick<Inbox, 'listDead' | 'stats' | 'replay' | 'replayWhere' | 'forgetDecided'>

function upkeepMethods(database: Database): UpkeepMethods {
  return {
    listDead: async ({ limit }) =>
      (await database.run(tasks.listDead, [String(limit)])).map(toDeadTask),
    stats: async ({ receiver } = {}) => {
      const [row] = await database.run(deliveries.countOpen, [receiver ?? null])
      return {
        undecided: number(row, 'undecided'),
        parked: number(row, 'parked'),
        open: number(row, 'open'),
        dead: number(row, 'dead'),
        oldestOpenMs: optionalNumber(row, 'oldest_ms'),
        ...(text(row, 'read_only') === 'true' && { isReadOnly: true }),
      }
    },
    replay: async (taskId, nowMs) =>
      isId(taskId) &&
      (await database.run(tasks.replayTask, [taskId, optionalText(nowMs)])).length > 0,
    replayWhere: async ({ receiver, handler, reference }, nowMs) => {
      const values = [receiver ?? null, handler ?? null, reference ?? null, optionalText(nowMs)]
      const [row] = await database.run(tasks.replayTasks, values)
      return number(row, 'count')
    },
    forgetDecided: async ({ receiver, receivedBeforeMs, limit }) => {
      const values = [receiver, String(receivedBeforeMs), String(limit)]
      const [row] = await database.run(deliveries.forgetDecided, values)
      return number(row, 'count')
    },
  }
}

function outcomeValues(outcome: HandlerOutcome): (string | null)[] {
  switch (outcome.kind) {
    case 'done':
      return ['done', null, null]
    case 'dead':
      return ['dead', null, storableText(outcome.error)]
    case 'retry':
      return ['open', String(outcome.retryAtMs), storableText(outcome.error)]
  }
}

function optionalNumber(row: Row | undefined, column: string): number | undefined {
  return row?.[column] === null ? undefined : Number(text(row, column))
}
