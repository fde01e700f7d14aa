import { types } from 'node:util'
import {
  canonicalAddress,
  canonicalAsset,
  ConfigurationError,
  parseOptions,
  RepositoryError,
  type OrderKey,
  type OrderRepository,
  type Transition,
} from '@tonplug/core'
import { z } from 'zod'
import { databaseOf } from './database.js'
import type { OwnOrders } from './join-by-statement.js'
import { isStorable, toJson } from './json.js'
import {
  explainTransition,
  keyValues,
  paymentJson,
  toOrder,
  type Goal,
  type PostgresOrder,
} from './order-rows.js'
import type { Queryable, Row } from './queryable.js'
import * as sql from './sql/orders.js'
import type { Statement } from './sql/statement.js'

const PAGE_SIZE = 200

/** Options of `postgresOrderRepository`. */
export interface PostgresOrderRepositoryOptions {
  /** The `name` of the Payments whose orders these are. Orders of other names are never visible. @default 'default' */
  name?: string | undefined
}

const OPTIONS = z.strictObject({
  name: z.string().min(1).default('default'),
} satisfies Record<keyof PostgresOrderRepositoryOptions, z.ZodType>)

/** An order as a shop creates it: the `order` of an invoice, with the shop's own data. */
export interface NewPostgresOrder<Data = unknown> {
  /** The reference that the payer's transfer carries; unique within the merchant. */
  reference: string
  /** @default '' */
  merchant?: string | undefined
  /** Expected amount in base units (nanotons for the native coin). */
  rawAmount: bigint
  /** `'TON'` (or `'GRAM'`), or the jetton master's address in any format. */
  asset: string
  /** A new order is pending. @default 'pending' */
  status?: 'pending' | undefined
  /** Expected wallet, in any format. */
  recipient?: string | undefined
  /** The body hash that the gateway returned for the transfer. No other payment can then be proven for this order. */
  bodyBase64Hash?: string | undefined
  /** Any JSON; returned with the order. */
  data: Data
  /** @default now, by the database's clock */
  createdAt?: Date | undefined
}

const REFERENCE = 'must be the reference that the payer will send, a non-empty string'
const AMOUNT = 'must be a bigint of 0 or more, in base units'
const ASSET = "must be 'TON' or the address of the jetton master"
const ADDRESS = 'must be an address or undefined'
const BODY_HASH = 'must be the hash that the gateway returned, or undefined'
const STORABLE = 'must be a string without NUL or lone surrogates'

const ORDER = z.strictObject({
  reference: z.string(REFERENCE).min(1, REFERENCE).refine(isStorable, STORABLE),
  merchant: z.string().refine(isStorable, STORABLE).default(''),
  rawAmount: z.bigint(AMOUNT).nonnegative(AMOUNT),
  asset: z.string(ASSET).min(1, ASSET),
  status: z.literal('pending').optional(),
  recipient: z.string(ADDRESS).min(1, ADDRESS).optional(),
  bodyBase64Hash: z.string(BODY_HASH).min(1, BODY_HASH).optional(),
  data: z.unknown().optional(),
  createdAt: z.custom<Date>(isValidDate, 'must be a valid Date or undefined').optional(),
} satisfies Record<keyof NewPostgresOrder, z.ZodType>)

/** Orders in tonplug's own table. */
export interface PostgresOrderRepository<Data = unknown> extends OrderRepository<
  PostgresOrder<Data>
> {
  readonly name: string
  /**
   * Stores a pending order, and makes reports due that arrived before it.
   * @returns false when an order with this key exists; it is not changed.
   * @throws {ConfigurationError} for an unknown or invalid field.
   * @throws {AddressError} for an invalid address.
   */
  create(order: NewPostgresOrder<Data>): Promise<boolean>
  /** Cancels an open order, by its key or its reference. @returns false when it was not open. */
  cancel(key: string | OrderKey): Promise<boolean>
  /**
   * Expires a pending or failed order, by its key or its reference. A later payment completes it and is marked `late`.
   * @returns false when it was neither.
   */
  expire(key: string | OrderKey): Promise<boolean>
  findByBodyHashes(hashes: readonly string[]): Promise<PostgresOrder<Data>[]>
  findByReferences(references: readonly string[]): Promise<PostgresOrder<Data>[]>
  checkAccess(): Promise<void>
}

const ownOrders = new WeakMap<object, OwnOrders>()

/** Returns the database and name of a repository of this package; `undefined` for any other repository. */
export function ownOrdersOf(orders: object): OwnOrders | undefined {
  return ownOrders.get(orders)
}

/**
 * Creates a repository of orders in PostgreSQL or PGlite, in the table `tonplug.orders`, for shops without a table of their
 * own. With `postgresInbox` on the same `db`, a delivery costs two round trips, and an order's transition commits together
 * with its decision.
 * @param db see `postgresInbox`.
 * @throws {ConfigurationError} for an unknown or invalid option.
 * @throws {RepositoryError} from every method when the database cannot be reached.
 * @example
 * const orders = postgresOrderRepository<{ item: string }>(pool)
 * await orders.create({ reference, rawAmount: 10_500_000_000n, asset: 'TON', data: { item: 'cap' } })
 */
export function postgresOrderRepository<Data = unknown>(
  db: Queryable,
  options: PostgresOrderRepositoryOptions = {},
): PostgresOrderRepository<Data> {
  const { name } = parseOptions(OPTIONS, options)
  const own: OwnOrders = { database: databaseOf(db), name }
  const { run } = own.database
  const repository: PostgresOrderRepository<Data> = {
    name,
    create: async (order) => (await run(sql.createOrder, creationValues(name, order))).length > 0,
    cancel: (key) => change(own, sql.cancelOrder, key),
    expire: (key) => change(own, sql.expireOrder, key),
    find: async (key) => {
      const values = [name, ...keyValues(key)]
      if (!values.every(isStorable)) return null
      const [row] = await run(sql.findOrder, values)
      return row === undefined ? null : toOrder<Data>(row)
    },
    findByBodyHashes: async (hashes) =>
      (await run(sql.findOrdersByBody, [name, listJson(hashes)])).map(toOrder<Data>),
    findByReferences: async (references) =>
      (await run(sql.findOrdersByReference, [name, listJson(references)])).map(toOrder<Data>),
    complete: (key, payment) =>
      move(own, key, {
        statement: sql.completeOrder,
        goal: { status: 'completed', txHash: payment.txHash },
        json: paymentJson(payment),
      }),
    fail: (key, failure) =>
      move(own, key, {
        statement: sql.failOrder,
        goal: { status: 'failed', txHash: failure.txHash },
        json: toJson(failure),
      }),
    listOpen: (query) => listOpen<Data>(own, query),
    checkAccess: async () => {
      const [row] = await run(sql.checkOrders, [])
      const problem = row?.['problem']
      if (typeof problem !== 'string') return
      throw new RepositoryError({ operation: 'orders.checkAccess', problem })
    },
  }
  ownOrders.set(repository, own)
  return repository
}

async function change(
  { database, name }: OwnOrders,
  statement: Statement,
  key: string | OrderKey,
): Promise<boolean> {
  const values = [name, ...keyValues(typeof key === 'string' ? { reference: key } : key)]
  return values.every(isStorable) && (await database.run(statement, values)).length > 0
}

async function move(
  { database, name }: OwnOrders,
  key: OrderKey,
  { statement, goal, json }: { statement: Statement; goal: Goal; json: string },
): Promise<Transition> {
  const values = [name, ...keyValues(key)]
  if (!values.every(isStorable)) return 'not-found'
  const moved = await database.run(statement, [...values, goal.txHash, json])
  return moved.length > 0 ? 'applied' : explainTransition(database, values, goal)
}

/** Returns a JSON list of the strings that a row can have. */
function listJson(texts: readonly string[]): string {
  return toJson(texts.filter(isStorable))
}

function creationValues(name: string, order: NewPostgresOrder): (string | null)[] {
  const { reference, merchant, rawAmount, asset, recipient, bodyBase64Hash, data, createdAt } =
    parseOptions(ORDER, order, { path: 'order' })
  canonicalAsset(asset)
  if (recipient !== undefined) canonicalAddress(recipient)
  return [
    name,
    ...keyValues({ reference, merchant }),
    rawAmount.toString(),
    asset,
    recipient ?? null,
    dataJson(data),
    createdAt === undefined ? null : String(createdAt.getTime()),
    bodyBase64Hash ?? null,
  ]
}

/** Test runners replace `Date`, so `instanceof` would fail. */
function isValidDate(value: unknown): boolean {
  return types.isDate(value) && !Number.isNaN(value.getTime())
}

function dataJson(data: unknown): string | null {
  if (data === undefined) return null
  try {
    return toJson(data)
  } catch (cause) {
    const problem = 'must be data that JSON.stringify accepts; see cause'
    throw new ConfigurationError({ option: 'order.data', problem, cause })
  }
}

/** Reads page by page, so that no statement lasts while the caller processes the orders. */
async function* listOpen<Data>(
  { database, name }: OwnOrders,
  { createdAfter, limit }: Parameters<OrderRepository['listOpen']>[0],
): AsyncIterable<PostgresOrder<Data>> {
  const since = createdAfter === undefined ? null : String(createdAfter.getTime())
  let position: (string | null)[] = [null, '', '']
  let left = limit
  let page: Row[]
  do {
    const size = Math.min(left, PAGE_SIZE)
    page = await database.run(sql.listOpenOrders, [name, since, ...position, String(size)])
    const orders = page.map(toOrder<Data>)
    yield* orders
    left -= page.length
    const last = orders.at(-1)
    if (last !== undefined) {
      position = [String(last.createdAt.getTime()), last.merchant, last.reference]
    }
  } while (left > 0 && page.length === PAGE_SIZE)
}
