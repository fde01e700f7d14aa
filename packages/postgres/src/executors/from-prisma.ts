import type { Queryable } from '../queryable.js'
import { rememberQueryable } from './remember.js'

/** A `PrismaClient` or a transaction of it. */
export interface PrismaLike {
  $queryRawUnsafe(text: string, ...values: unknown[]): PromiseLike<unknown>
}

/**
 * Runs SQL with Prisma: on a connection of its pool, or in the given interactive transaction.
 * @example
 * const orders = mappedOrderRepository(fromPrisma(prisma), mapping)
 */
export function fromPrisma(prisma: PrismaLike): Queryable {
  const expected = 'a PrismaClient or a transaction of it'
  return rememberQueryable(prisma, { method: '$queryRawUnsafe', expected }, () => ({
    async query(text, values = []) {
      try {
        // Prisma returns an array of rows.
        return { rows: (await prisma.$queryRawUnsafe(text, ...values)) as unknown[] }
      } catch (cause) {
        throw withSqlState(cause)
      }
    },
  }))
}

/** Prisma's own code of every failed statement is P2010; the error of its driver adapter has that of PostgreSQL. */
function withSqlState(cause: unknown): unknown {
  const { meta } = Object(cause) as {
    meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } }
  }
  const code = meta?.driverAdapterError?.cause?.originalCode
  if (code === undefined) return cause
  return Object.assign(new Error('the statement failed; see cause', { cause }), { code })
}
