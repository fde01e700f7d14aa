import type {
  OpenOrdersQuery,
  Order,
  OrderRepository,
  OrderStatus,
  Transition,
} from '@tonplug/core'
import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'
import type { ShopDatabase } from './database.js'
import { orders } from './schema.js'

const PAYABLE = ['pending', 'failed', 'expired'] as const satisfies OrderStatus[]
const PAGE_SIZE = 200

type OrderRow = typeof orders.$inferSelect

/** An order of this shop. Handlers and rules receive it with its own fields. */
export interface ShopOrder extends Order {
  item: string
  createdAt: Date
}

/** Orders through Drizzle. `db` is the database, or one of its transactions. */
export function drizzleOrderRepository(db: ShopDatabase): OrderRepository<ShopOrder> {
  return {
    async findByReference(reference) {
      const [row] = await db.select().from(orders).where(eq(orders.reference, reference))
      return row === undefined ? null : toOrder(row)
    },
    async findByBodyHash(hash) {
      const [row] = await db.select().from(orders).where(eq(orders.bodyBase64Hash, hash))
      return row === undefined ? null : toOrder(row)
    },
    complete(reference, { rawAmount: paidAmount, ...payment }) {
      const change = { status: 'completed', txHash: payment.txHash, paidAmount, payment } as const
      return move(db, reference, PAYABLE, change)
    },
    recordFailure(reference, failure) {
      const change = { status: 'failed', txHash: failure.txHash, failure } as const
      return move(db, reference, ['pending'], change)
    },
    listOpen: (query) => listOpen(db, query),
  }
}

/** One conditional UPDATE: of any number of callers, one gets the row. The others learn why they did not. */
async function move(
  db: ShopDatabase,
  reference: string,
  from: readonly OrderStatus[],
  change: PgUpdateSetSource<typeof orders> & { status: OrderStatus; txHash: string },
): Promise<Transition> {
  const isThis = eq(orders.reference, reference)
  const movable = and(isThis, inArray(orders.status, [...from]))
  const moved = await db.update(orders).set(change).where(movable).returning()
  if (moved.length > 0) return 'applied'
  const [row] = await db.select().from(orders).where(isThis)
  if (row === undefined) return 'not-found'
  const isSame = row.status === change.status && row.txHash === change.txHash
  return isSame ? 'already-applied' : 'conflict'
}

/** Reads page by page, so that the caller may take its time while no cursor is open. */
async function* listOpen(db: ShopDatabase, query: OpenOrdersQuery) {
  const { createdAt, reference, status } = orders
  const { createdAfter, createdBefore } = query
  const wanted = and(
    inArray(status, PAYABLE),
    createdAfter && gte(createdAt, createdAfter),
    createdBefore && lt(createdAt, createdBefore),
  )
  let page: OrderRow[] = []
  do {
    const last = page.at(-1)
    const position = last && sql`(${last.createdAt.toISOString()}, ${last.reference})`
    const isNext = position && sql`(${createdAt}, ${reference}) > ${position}`
    const rows = db.select().from(orders).where(and(wanted, isNext))
    page = await rows.orderBy(asc(createdAt), asc(reference)).limit(PAGE_SIZE)
    yield* page.map(toOrder)
  } while (page.length === PAGE_SIZE)
}

function toOrder({ payment, paidAmount, ...row }: OrderRow): ShopOrder {
  const isPaid = payment !== null && paidAmount !== null
  return {
    ...row,
    recipient: row.recipient ?? undefined,
    payment: isPaid ? { ...payment, rawAmount: paidAmount } : undefined,
  }
}
