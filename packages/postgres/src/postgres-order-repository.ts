import { types } from 'node:util'
import {
  canonicalAddress,
  canonicalAsset,
  ConfigurationError,
  isOrderKey,
  orderFromJson,
  orderToJson,
  RepositoryError,
  type Offer,
  type Order,
  type OrderKey,
  type OrderListQuery,
  type OrderPage,
  type OrderRepository,
} from '@tonplug/core'
import { parseOptions } from '@tonplug/core/internal'
import { z } from 'zod'
import { checkSearchIndexes } from './check-search-indexes.js'
import { databaseOf, type Database } from './database.js'
import { isStorable, toJson } from './json.js'
import { keyValues } from './order-rows.js'
import type { Queryable } from './queryable.js'
import { orderStatements } from './sql/orders.js'
import {
  cancelOrder,
  checkOrders,
  createOrder,
  expireOrder,
  ownOrderTable,
} from './sql/own-orders.js'
import type { Statement } from './sql/statement.js'
import { registerOrders, tableMethods } from './table-orders.js'

/** Options of `postgresOrderRepository`. */
export interface PostgresOrderRepositoryOptions {
  /** The `name` of the Payments whose orders these are. Orders of other names are never visible. @default 'default' */
  name?: string | undefined
  /**
   * Fields of `data` that operators can search, beside the reference: for example `['email']`. Each needs an index, which
   * `checkAccess` prints. @default none
   */
  search?: readonly string[] | undefined
}

const OPTIONS = z.strictObject({
  name: z.string().min(1).default('default'),
  search: z.array(z.string().min(1).refine(isStorable)).default([]),
} satisfies Record<keyof PostgresOrderRepositoryOptions, z.ZodType>)

/** An order as `postgresOrderRepository` stores it. */
export interface PostgresOrder<Data = unknown> extends Order {
  merchant: string
  createdAt: Date
  /** Any JSON that the shop stores with the order; null without any. */
  data: Data
}

/** An order as a shop creates it: the `order` of an invoice, with the shop's own data. */
export interface NewPostgresOrder<Data = unknown> {
  /** The reference that the payer's transfer carries; unique within the merchant. */
  reference: string
  /** @default '' */
  merchant?: string | undefined
  /** Expected amount in base units (nanotons for the native coin); left out with `offers`. */
  rawAmount?: bigint | undefined
  /** `'TON'` (or `'GRAM'`), or the jetton master's address in any format; left out with `offers`. */
  asset?: string | undefined
  /** The ways to pay the order, instead of `rawAmount` and `asset`. */
  offers?: readonly Offer[] | undefined
  /** The end of the offers, as in the order of an invoice. It is stored with each offer. */
  expiresAt?: Date | undefined
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
const STORABLE = 'must be at most 1024 characters, without NUL and lone surrogates'

const DATE = 'must be a valid Date or undefined'
const OFFERS = 'must be a list of offers or undefined'

const ORDER = z.strictObject({
  reference: z
    .string(REFERENCE)
    .min(1, REFERENCE)
    .refine((reference) => isOrderKey({ reference }), STORABLE),
  merchant: z
    .string()
    .refine((merchant) => isOrderKey({ reference: '-', merchant }), STORABLE)
    .default(''),
  rawAmount: z.bigint(AMOUNT).nonnegative(AMOUNT).optional(),
  asset: z.string(ASSET).min(1, ASSET).optional(),
  offers: z.custom<readonly Offer[]>(Array.isArray, OFFERS).optional(),
  expiresAt: z.custom<Date>(isValidDate, DATE).optional(),
  status: z.literal('pending').optional(),
  recipient: z.string(ADDRESS).min(1, ADDRESS).optional(),
  bodyBase64Hash: z.string(BODY_HASH).min(1, BODY_HASH).optional(),
  data: z.unknown().optional(),
  createdAt: z.custom<Date>(isValidDate, DATE).optional(),
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
   * Expires a pending or failed order, by its key or its reference. A later payment completes it and is marked `isLate`.
   * @returns false when it was neither.
   */
  expire(key: string | OrderKey): Promise<boolean>
  findByBodyHashes(hashes: readonly string[]): Promise<PostgresOrder<Data>[]>
  findByReferences(references: readonly string[]): Promise<PostgresOrder<Data>[]>
  list(query: OrderListQuery): Promise<OrderPage<PostgresOrder<Data>>>
  search(query: { text: string; limit: number }): Promise<PostgresOrder<Data>[]>
  checkAccess(): Promise<void>
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
  const { name, search } = parseOptions(OPTIONS, options)
  const database = databaseOf(db)
  const { run } = database
  const table = ownOrderTable(name, search)
  const statements = orderStatements(table)
  const orders = { database, run, statements: () => Promise.resolve(statements) }
  // The table has all columns of these orders, and `create` stores the data.
  const methods = tableMethods(orders) as OrderMethods<Data>
  return registerOrders(
    {
      ...methods,
      name,
      create: async (order) => (await run(createOrder, creationValues(name, order))).length > 0,
      cancel: (key) => change(database, cancelOrder, { name, key }),
      expire: (key) => change(database, expireOrder, { name, key }),
      checkAccess: async () => {
        const [row] = await run(checkOrders, [])
        const problem = row?.['problem']
        if (typeof problem === 'string') {
          throw new RepositoryError({ operation: 'orders.checkAccess', problem })
        }
        await checkSearchIndexes(run, table)
      },
    },
    orders,
  )
}

type OrderMethods<Data> = Omit<
  Required<OrderRepository<PostgresOrder<Data>>>,
  'name' | 'checkAccess'
>

async function change(
  database: Database,
  statement: Statement,
  { name, key: given }: { name: string; key: string | OrderKey },
): Promise<boolean> {
  const key = typeof given === 'string' ? { reference: given } : given
  return isOrderKey(key) && (await database.run(statement, [name, ...keyValues(key)])).length > 0
}

function creationValues(name: string, order: NewPostgresOrder): (string | null)[] {
  const checked = parseOptions(ORDER, order, { path: 'order' })
  const { reference, merchant, rawAmount, asset, offers } = checked
  const { recipient, bodyBase64Hash, data, createdAt } = checked
  if (asset !== undefined) canonicalAsset(asset)
  if (recipient !== undefined) canonicalAddress(recipient)
  const json = orderToJson({ reference, rawAmount, asset, offers, status: 'pending' })
  // Checks that the order has either an amount in one asset, or offers.
  orderFromJson(json)
  return [
    name,
    ...keyValues({ reference, merchant }),
    rawAmount?.toString() ?? null,
    asset ?? null,
    recipient ?? null,
    dataJson(data),
    createdAt === undefined ? null : String(createdAt.getTime()),
    bodyBase64Hash ?? null,
    offers === undefined ? null : toJson(json['offers']),
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
