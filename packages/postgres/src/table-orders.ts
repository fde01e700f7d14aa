import {
  isOrderKey,
  type Order,
  type OrderKey,
  type OrderListQuery,
  type OrderPage,
  type OrderRepository,
  type Transition,
} from '@tonplug/core'
import { z } from 'zod'
import type { Database } from './database.js'
import { isStorable, toJson } from './json.js'
import { explainTransition, keyValues, paymentJson, toOrder, type Goal } from './order-rows.js'
import type { Row } from './queryable.js'
import type { Run } from './record-decision.js'
import type { OrderStatements } from './sql/orders.js'

const PAGE_SIZE = 200

/** The orders of a table, and its statements. */
export interface TableOrders {
  database: Database
  /** Runs the statements on the table alone. */
  run: Run
  /** Returns the statements; for a table of the shop after its check. */
  statements: () => Promise<OrderStatements>
}

type TableMethods = Pick<
  Required<OrderRepository>,
  | 'find'
  | 'findByReferences'
  | 'findByBodyHashes'
  | 'complete'
  | 'fail'
  | 'listOpen'
  | 'list'
  | 'search'
>

const ordersOf = new WeakMap<object, TableOrders>()

/** Returns the table of a repository of this package; `undefined` for any other repository. */
export function tableOrdersOf(repository: object): TableOrders | undefined {
  return ordersOf.get(repository)
}

/** Registers a repository, so that an inbox of the same database joins its orders. */
export function registerOrders<Repository extends object>(
  repository: Repository,
  orders: TableOrders,
): Repository {
  ordersOf.set(repository, orders)
  return repository
}

/** Returns the methods of a repository that every table has. `findByBodyHashes` needs the column. */
export function tableMethods(orders: TableOrders): TableMethods {
  const { run, statements } = orders
  return {
    find: async (key) => {
      if (!isOrderKey(key)) return null
      const [row] = await run((await statements()).find, keyValues(key))
      return row === undefined ? null : toOrder(row)
    },
    findByReferences: async (references) =>
      (
        await run((await statements()).findByReferences, [
          toJson(references.filter((reference) => isOrderKey({ reference }))),
        ])
      ).map(toOrder),
    findByBodyHashes: async (hashes) => {
      const { findByBodyHashes } = await statements()
      if (findByBodyHashes === undefined) return []
      return (await run(findByBodyHashes, [toJson(hashes.filter(isStorable))])).map(toOrder)
    },
    complete: (key, payment) =>
      move(orders, key, {
        goal: { status: 'completed', txHash: payment.txHash },
        json: paymentJson(payment),
      }),
    fail: (key, failure) =>
      move(orders, key, {
        goal: { status: 'failed', txHash: failure.txHash },
        json: toJson(failure),
      }),
    listOpen: (query) => listOpen(orders, query),
    list: (query) => list(orders, query),
    search: async ({ text, limit }) => {
      if (!isStorable(text)) return []
      const rows = await run((await statements()).search, [text, String(limit)])
      const unique = new Map(rows.map((row) => [JSON.stringify(positionOf(row)), row]))
      return [...unique.values()].slice(0, limit).map(toOrder)
    },
  }
}

async function list(
  { run, statements }: TableOrders,
  { status, createdAfter, createdBefore, after, limit }: OrderListQuery,
): Promise<OrderPage> {
  const position = after === undefined ? [null, '', ''] : parsePosition(after)
  if (position === undefined) return { orders: [] }
  const times = [createdAfter, createdBefore].map((date) => date && String(date.getTime()))
  // One more than a page shows whether there is another one.
  const values = [...times.map((time) => time ?? null), ...position, String(limit + 1)]
  const rows = await run((await statements()).list[status ?? 'all'], values)
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return { orders: page.map(toOrder), ...(last && { next: JSON.stringify(positionOf(last)) }) }
}

function positionOf(row: Row): (string | null)[] {
  const { position = null, order_merchant: merchant = '', order_reference: key = '' } = row
  return [position, merchant, key]
}

const TIME = z.union([z.iso.datetime({ offset: true }), z.enum(['infinity', '-infinity'])])
const POSITION = z.tuple([TIME, z.string(), z.string()])

/** @returns `undefined` for a string that no page has returned. */
function parsePosition(text: string): string[] | undefined {
  try {
    return POSITION.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

async function move(
  { run, statements }: TableOrders,
  key: OrderKey,
  { goal, json }: { goal: Goal; json: string },
): Promise<Transition> {
  if (!isOrderKey(key)) return 'not-found'
  const { complete, fail, explain } = await statements()
  const statement = goal.status === 'completed' ? complete : fail
  const moved = await run(statement, [...keyValues(key), json, goal.txHash])
  return moved.length > 0 ? 'applied' : explainTransition(run, { explain, key, goal })
}

/** Reads page by page, so that no statement lasts while the caller processes the orders. */
async function* listOpen(
  { run, statements }: TableOrders,
  { createdAfter, limit }: Parameters<OrderRepository['listOpen']>[0],
): AsyncIterable<Order> {
  const since = createdAfter === undefined ? null : String(createdAfter.getTime())
  const statement = (await statements()).listOpen
  let position: (string | null)[] = [null, '', '']
  let left = limit
  let page: Row[]
  do {
    const size = Math.min(left, PAGE_SIZE)
    page = await run(statement, [since, ...position, String(size)])
    yield* page.map(toOrder)
    left -= page.length
    const last = page.at(-1)
    if (last !== undefined) position = positionOf(last)
  } while (left > 0 && page.length === PAGE_SIZE)
}
