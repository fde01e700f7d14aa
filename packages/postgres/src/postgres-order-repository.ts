import { types } from 'node:util'
import {
  canonicalAddress,
  canonicalAsset,
  checkOptionNames,
  ConfigurationError,
  type OpenOrdersQuery,
  type OrderRepository,
} from '@tonplug/core'
import { databaseOf, type Database } from './database.js'
import { toJson } from './json.js'
import { explainTransition, paymentJson, toOrder, type PostgresOrder } from './order-rows.js'
import type { Queryable, Row } from './queryable.js'
import * as sql from './sql/orders.js'

const PAGE_SIZE = 200

/** What a shop knows of an order when it creates it. */
export interface NewPostgresOrder<Data = unknown> {
  /** The transfer reference that the gateway returned when the transfer was created; unique. */
  reference: string
  /** Expected amount in base units (nanotons for the native coin). */
  rawAmount: bigint
  /** `'TON'`, or the jetton master's address in any spelling. */
  asset: string
  /** Expected wallet, in any spelling. */
  recipient?: string | undefined
  /** As the gateway returned it when the transfer was created: no other payment is then proven for the order. */
  bodyBase64Hash?: string | undefined
  /** Any JSON; it comes back with the order. */
  data: Data
  /** @default now, by the database's clock */
  createdAt?: Date | undefined
}

const NAMES: Record<keyof NewPostgresOrder, true> = {
  reference: true,
  rawAmount: true,
  asset: true,
  recipient: true,
  bodyBase64Hash: true,
  data: true,
  createdAt: true,
}

/** Orders in tonplug's own table. */
export interface PostgresOrderRepository<Data = unknown> extends OrderRepository<
  PostgresOrder<Data>
> {
  /**
   * Stores a pending order. A payment whose webhook came first is matched within seconds; at once with
   * `receiver.matchReference(reference)`.
   * @returns false when there is an order with this reference; it stays as it is.
   * @throws {ConfigurationError} for a field that does not exist or is of another kind, and when the amount is
   * negative; {@link AddressError} when an address is none.
   */
  create(order: NewPostgresOrder<Data>): Promise<boolean>
  /** A completed order stays completed. @returns whether it was open and is cancelled now. */
  cancel(reference: string): Promise<boolean>
  /** The order's time is over; paid later, it is completed and marked `late`. @returns whether it is expired now. */
  expire(reference: string): Promise<boolean>
}

const databasesOfOrders = new WeakMap<object, Database>()

/** The database of a repository of this package; `undefined` for any other. */
export function databaseOfOrders(orders: object): Database | undefined {
  return databasesOfOrders.get(orders)
}

/**
 * Orders in PostgreSQL or PGlite, for shops without a table of their own, in `tonplug.orders`. With `postgresInbox` on
 * the same `db` a delivery costs two round trips, and an order's transition commits together with its decision. It
 * serves one merchant: any configured secret may pay any order.
 * @param db see `postgresInbox`.
 * @throws every method {@link RepositoryError} when the database cannot be reached.
 * @example
 * const orders = postgresOrderRepository<{ item: string }>(pool)
 * await orders.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: { item: 'cap' } })
 */
export function postgresOrderRepository<Data = unknown>(
  db: Queryable,
): PostgresOrderRepository<Data> {
  const database = databaseOf(db)
  const repository: PostgresOrderRepository<Data> = {
    create: async (order) => {
      const rows = await database.run(sql.createOrder, creationValues(order))
      return rows.length > 0
    },
    cancel: async (reference) => (await database.run(sql.cancelOrder, [reference])).length > 0,
    expire: async (reference) => (await database.run(sql.expireOrder, [reference])).length > 0,
    findByReference: async (reference) => {
      // PostgreSQL refuses such text, which may be what somebody wrote into a URL.
      if (reference.includes('\u0000')) return null
      const [row] = await database.run(sql.findOrder, [reference])
      return row === undefined ? null : toOrder<Data>(row)
    },
    findByBodyHash: async (bodyBase64Hash) => {
      const [row] = await database.run(sql.findOrderByBody, [bodyBase64Hash])
      return row === undefined ? null : toOrder<Data>(row)
    },
    complete: async (reference, payment) => {
      const values = [reference, payment.txHash, paymentJson(payment)]
      const moved = await database.run(sql.completeOrder, values)
      const goal = { status: 'completed', txHash: payment.txHash } as const
      return moved.length > 0 ? 'applied' : explainTransition(database, reference, goal)
    },
    recordFailure: async (reference, failure) => {
      const moved = await database.run(sql.failOrder, [reference, failure.txHash, toJson(failure)])
      const goal = { status: 'failed', txHash: failure.txHash } as const
      return moved.length > 0 ? 'applied' : explainTransition(database, reference, goal)
    },
    listOpen: (query) => listOpen<Data>(database, query),
  }
  databasesOfOrders.set(repository, database)
  return repository
}

function creationValues(order: NewPostgresOrder): (string | null)[] {
  checkOptionNames(order, Object.keys(NAMES), 'order.')
  const { reference, rawAmount, asset, recipient, data, createdAt, bodyBase64Hash } = order
  if (typeof rawAmount !== 'bigint' || rawAmount < 0n) {
    throw unfit('rawAmount', rawAmount, 'base units as a bigint of zero or more')
  }
  checkText('reference', reference, 'the reference that the gateway returned')
  checkText('asset', asset, "'TON' or the address of the jetton's master")
  canonicalAsset(asset)
  if (recipient !== undefined) {
    checkText('recipient', recipient, 'an address, or leave it out')
    canonicalAddress(recipient)
  }
  if (bodyBase64Hash !== undefined) {
    checkText('bodyBase64Hash', bodyBase64Hash, 'what the gateway returned, or leave it out')
  }
  return [
    reference,
    rawAmount.toString(),
    asset,
    recipient ?? null,
    dataJson(data),
    createdAt === undefined ? null : String(checkDate(createdAt).getTime()),
    bodyBase64Hash ?? null,
  ]
}

/** Callers without types, and rows of other tables, give anything. */
function checkText(field: string, value: unknown, want: string): void {
  if (typeof value !== 'string' || value === '') throw unfit(field, value, want)
}

/** Test runners have a `Date` of their own. */
function checkDate(value: unknown): Date {
  if (types.isDate(value) && !Number.isNaN(value.getTime())) return value
  throw unfit('createdAt', value, 'a Date, or leave it out')
}

function dataJson(data: unknown): string | null {
  if (data === undefined) return null
  try {
    return toJson(data)
  } catch (cause) {
    const problem = 'cannot be written as JSON; see cause'
    throw new ConfigurationError({ option: 'order.data', problem, cause })
  }
}

function unfit(field: string, value: unknown, want: string): ConfigurationError {
  const given = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return new ConfigurationError({ option: `order.${field}`, problem: `is ${given}; give ${want}` })
}

/** Page by page, so that orders can change while the caller takes its time. */
async function* listOpen<Data>(
  database: Database,
  { createdAfter, createdBefore }: OpenOrdersQuery,
): AsyncIterable<PostgresOrder<Data>> {
  const window = [toMs(createdAfter), toMs(createdBefore)]
  let position: (string | null)[] = [null, '']
  let page: Row[]
  do {
    page = await database.run(sql.listOpenOrders, [...window, ...position, String(PAGE_SIZE)])
    const orders = page.map(toOrder<Data>)
    yield* orders
    const last = orders.at(-1)
    if (last !== undefined) position = [toMs(last.createdAt), last.reference]
  } while (page.length === PAGE_SIZE)
}

function toMs(date: Date | undefined): string | null {
  return date === undefined ? null : String(date.getTime())
}
