import { canonicalAsset, type OrderStatus } from '@tonplug/core'
import { z } from 'zod'
import { isStorable } from './json.js'

/** A column with amounts in another unit than base units. */
export interface AmountColumn {
  /** An integer, `money`, or `numeric` with at most as many decimals as `per` has zeros. */
  column: string
  /** Base units for each 1 of the column: a power of ten. For cents of a coin with 6 decimals it is `10_000n`. */
  per: bigint
}

/** The columns of an existing table, by the fields of an order. */
export interface MappedOrderColumns {
  /** The reference that the payer's transfer carries. Text, `uuid` or an integer; a unique index is needed. */
  reference: string
  /**
   * The expected amount in base units: `numeric(78, 0)`; for TON alone `bigint` is enough. A column in another unit, for
   * example cents, with the base units of each: `{ column: 'total_cents', per: 10_000n }` for USDT.
   */
  rawAmount?: string | AmountColumn | undefined
  status: string
  /**
   * The transfer that completed the order: `jsonb`, `json` or `text`. Without it, a repeated report and a second payment
   * would look the same.
   */
  payment: string
  /** `'TON'` or the jetton master's address. Replaces the option `asset`. */
  asset?: string | undefined
  /**
   * The ways to pay an order, instead of `rawAmount` and `asset`: `jsonb`, `json` or `text` with
   * `JSON.stringify(invoice.order.offers)`. An order without offers does not exist for tonplug.
   */
  offers?: string | undefined
  /** Separates the orders of several merchants. */
  merchant?: string | undefined
  /** The wallet that must receive the payment of this order. */
  recipient?: string | undefined
  /** The body hash of the invoice or the transfer: no other payment is proven for the order, and the watcher finds it. */
  bodyBase64Hash?: string | undefined
  /** The watcher reads no older orders than it must, and payments from before the order are recognized. */
  createdAt?: string | undefined
  /** The last transfer that failed, of the same types as `payment`: a repeated report is not applied again. */
  failure?: string | undefined
  /** Also stores the transaction hash of the payment in its own column, for searches. */
  paymentTxHash?: string | undefined
  /** Also stores the transaction hash of the failure in its own column. */
  failureTxHash?: string | undefined
}

/** A value of the status column, or several; the first is written. */
export type StatusValues = string | readonly [string, ...string[]]

/** The values of the status column. Each has one meaning. */
export interface MappedOrderStatuses {
  pending: StatusValues
  completed: StatusValues
  /** Without it, an order with a failed transfer stays pending. */
  failed?: StatusValues | undefined
  /** Orders that can still be paid; their payment is marked `isLate`. */
  expired?: StatusValues | undefined
  cancelled?: StatusValues | undefined
}

/** The fields of an order that a table can have. */
export type OrderField = keyof MappedOrderColumns

/** Options of `mappedOrderRepository`. */
export interface MappedOrderRepositoryOptions<Extra extends object = object> {
  table: string
  /** @default the schema that the `search_path` finds */
  schema?: string | undefined
  columns: MappedOrderColumns
  /** The asset of every order, for a table without such a column: `'TON'` or the jetton master's address. */
  asset?: string | undefined
  /**
   * Any other value counts as completed when a payment is stored, for example `shipped`; otherwise as cancelled.
   * @default each status is its own value
   */
  statuses?: MappedOrderStatuses | undefined
  /**
   * Further columns, by the names that they have in the orders. Their values are as in JSON: dates are ISO strings;
   * `numeric` and `bigint` are strings.
   */
  extra?: { readonly [Name in keyof Extra]: string } | undefined
  /**
   * Fields of `extra` that operators can search, beside the reference: for example `['email', 'number']`. Each needs an index,
   * and so does the reference; `checkAccess` prints them. @default undefined: operators find whole references only
   */
  search?: readonly (keyof Extra & string)[] | undefined
}

const COLUMN_NAME = 'must be the name of a column'
const COLUMN = z.string(COLUMN_NAME).min(1, COLUMN_NAME).refine(isStorable, COLUMN_NAME)
const TABLE_NAME = 'must be the name of a table, without quotes. Pass its schema as `schema`'
const TABLE = z.string(TABLE_NAME).min(1, TABLE_NAME).refine(isStorable, TABLE_NAME)

const PER = 'must be a power of ten as a bigint, for example 10_000n for cents of USDT'
const AMOUNT_COLUMN = z.strictObject({
  column: COLUMN,
  per: z.bigint(PER).refine((per) => /^10*$/.test(`${per}`), PER),
} satisfies Record<keyof AmountColumn, z.ZodType>)

const COLUMNS = z.strictObject({
  reference: COLUMN,
  status: COLUMN,
  payment: COLUMN,
  rawAmount: z.union([COLUMN, AMOUNT_COLUMN], COLUMN_NAME).optional(),
  asset: COLUMN.optional(),
  offers: COLUMN.optional(),
  merchant: COLUMN.optional(),
  recipient: COLUMN.optional(),
  bodyBase64Hash: COLUMN.optional(),
  createdAt: COLUMN.optional(),
  failure: COLUMN.optional(),
  paymentTxHash: COLUMN.optional(),
  failureTxHash: COLUMN.optional(),
} satisfies Record<OrderField, z.ZodType>)

const VALUES_NAME = 'must be a value of the status column, or a list of them'
const VALUE = z.string(VALUES_NAME).refine(isStorable, VALUES_NAME)
const VALUES = z
  .union([VALUE, z.array(VALUE).min(1, VALUES_NAME)], VALUES_NAME)
  .transform((values) => [values].flat())
const NONE: string[] = []

const STATUSES = z
  .strictObject({
    pending: VALUES,
    completed: VALUES,
    failed: VALUES.default(NONE),
    expired: VALUES.default(NONE),
    cancelled: VALUES.default(NONE),
  } satisfies Record<keyof MappedOrderStatuses, z.ZodType>)
  .superRefine((statuses, context) => {
    const meanings = new Map<string, string>()
    for (const [status, values] of Object.entries(statuses)) {
      for (const value of values) {
        const other = meanings.get(value)
        meanings.set(value, status)
        if (other === undefined) continue
        const message = `lists ${JSON.stringify(value)}, which is also ${other}; each value has one meaning`
        context.addIssue({ code: 'custom', path: [status], message })
      }
    }
  })

const SAME_NAMES: Record<OrderStatus, string> = {
  pending: 'pending',
  completed: 'completed',
  failed: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
}

const ASSET = "must be 'TON' or the address of the jetton master"
/** `jsonb_build_object` takes a hundred arguments. */
const MOST_EXTRA = 50
const EXTRA = `must name at most ${MOST_EXTRA} columns by fields that an order does not have, for example { email: 'customer_email' }`

const SEARCH = 'must list names of `extra`'

/** Schema of the options of `mappedOrderRepository`. */
export const MAPPING = z
  .strictObject({
    table: TABLE,
    schema: TABLE.optional(),
    columns: COLUMNS,
    asset: z.string(ASSET).refine(isAsset, ASSET).optional(),
    statuses: STATUSES.prefault(SAME_NAMES),
    extra: z.record(z.string(), COLUMN, EXTRA).refine(areExtra, EXTRA).default({}),
    search: z.array(z.string(SEARCH), SEARCH).optional(),
  } satisfies Record<keyof MappedOrderRepositoryOptions, z.ZodType>)
  .superRefine(({ asset, columns, extra, search = [] }, context) => {
    if (search.some((name) => !Object.hasOwn(extra, name))) {
      context.addIssue({ code: 'custom', path: ['search'], message: SEARCH, input: search })
    }
    const { rawAmount, offers } = columns
    if ((rawAmount === undefined) === (offers === undefined)) {
      const message =
        offers === undefined
          ? 'must be the column of the amount in base units, unless `columns` has `offers`'
          : 'must be left out when `columns` has `offers`'
      const path = ['columns', 'rawAmount']
      context.addIssue({ code: 'custom', path, message, input: rawAmount })
    }
    if (offers !== undefined) {
      const message = 'must be left out when `columns` has `offers`'
      if (asset !== undefined) context.addIssue({ code: 'custom', path: ['asset'], message })
      if (columns.asset !== undefined) {
        context.addIssue({ code: 'custom', path: ['columns', 'asset'], message })
      }
      return
    }
    if ((asset === undefined) !== (columns.asset === undefined)) return
    const message =
      asset === undefined
        ? "must be the asset of every order, for example 'TON', unless `columns` has `asset`"
        : 'must be left out when `columns` has `asset`'
    context.addIssue({ code: 'custom', path: ['asset'], message, input: asset })
  })

/** The options of `mappedOrderRepository`, checked. */
export interface OrderMapping extends Omit<z.output<typeof MAPPING>, 'columns'> {
  columns: Omit<z.output<typeof COLUMNS>, 'rawAmount'> & { rawAmount?: string | undefined }
  /** Base units for each 1 of the column `rawAmount`. */
  per?: bigint | undefined
}

/** Separates the name of the amount's column from its unit. */
export function toMapping({ columns, ...options }: z.output<typeof MAPPING>): OrderMapping {
  const { rawAmount: amount, ...others } = columns
  const { column: rawAmount, per } =
    typeof amount === 'object' ? amount : { column: amount, per: undefined }
  return { ...options, columns: { ...others, rawAmount }, per }
}

function isAsset(asset: string): boolean {
  try {
    canonicalAsset(asset)
    return true
  } catch {
    return false
  }
}

function areExtra(extra: Record<string, string>): boolean {
  const names = Object.keys(extra)
  return names.length <= MOST_EXTRA && names.every((name) => !(name in COLUMNS.shape))
}
