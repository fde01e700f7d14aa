import { below, shuffle } from '@tonplug/test-support/random'

/**
 * Stores the orders: tonplug with the inbox; tonplug in the shop's table, through a data mapper, a query builder or a library
 * with an engine of its own; the shop, in one transaction with the inbox, or separately.
 */
export type Keeper =
  'tonplug' | 'TypeORM' | 'Drizzle' | 'Prisma' | 'shop-in-transaction' | 'shop-apart'

/**
 * A fault strikes before a statement is sent, when PostgreSQL has received it, when its result has arrived and is withheld,
 * or some turns after the result was passed on.
 */
type Moment = 'before' | 'during' | 'answered' | 'after'

/** The instant of one fault. */
export interface Instant {
  /** The operation of `Crossing.statement`. */
  operation: string
  /** Number of operations that pass first. */
  skip: number
  moment: Moment
  /** Turns of the event loop that pass first, for `after`. */
  turns: number
}

const HANDLING = [
  'inbox.tasks.claim',
  'inbox.reports.find',
  'shop.handler',
  'inbox.tasks.finish',
  'inbox.reports.claim',
]

const JOINED = [
  'inbox.storeAndFind',
  'inbox.completeAndDecide',
  'inbox.failAndDecide',
  'inbox.reports.decide',
  ...HANDLING,
]

/** The statements between a delivery and its response, then the statements of handlers and pollers. */
const OPERATIONS: Record<Keeper, string[]> = {
  tonplug: JOINED,
  TypeORM: JOINED,
  Drizzle: JOINED,
  Prisma: JOINED,
  'shop-in-transaction': [
    'shop.find',
    'inbox.reports.store',
    'BEGIN',
    'shop.completed',
    'inbox.credits.claim',
    'inbox.reports.decide',
    'COMMIT',
    ...HANDLING,
  ],
  'shop-apart': [
    'shop.find',
    'inbox.reports.store',
    'inbox.credits.claim',
    'shop.completed',
    'inbox.reports.decide',
    ...HANDLING,
  ],
}

const MOMENTS: Moment[] = ['before', 'during', 'answered', 'after']

/** Yields every operation at every moment in random order, repeatedly. */
export function* instants(random: () => number, keeper: Keeper): Generator<Instant, never> {
  const places = OPERATIONS[keeper].flatMap((operation) =>
    MOMENTS.map((moment) => ({ operation, moment })),
  )
  for (;;) {
    for (const place of shuffle(random, places)) {
      yield { ...place, skip: below(random, 4), turns: below(random, 12) }
    }
  }
}
