import type { Random } from './random.js'

/** Who keeps the orders: tonplug with the inbox; the shop, in one transaction with the inbox, or beside it. */
export type Keeper = 'tonplug' | 'shop-in-transaction' | 'shop-apart'

/**
 * When a fault strikes: before a statement has left, when PostgreSQL has it, when its answer has come and is
 * withheld, or some turns after the answer was passed on.
 */
type Moment = 'before' | 'during' | 'answered' | 'after'

/** The instant of one fault. */
export interface Instant {
  /** As `Crossing.statement`, by its operation. */
  operation: string
  /** How many of them pass first. */
  skip: number
  moment: Moment
  /** How many turns of the event loop later, for `after`. */
  turns: number
}

const HANDLING = [
  'inbox.claimTasks',
  'inbox.find',
  'shop.handler',
  'inbox.finishTask',
  'inbox.claimDeliveries',
]

/** The statements between a delivery and its answer, then those of handlers and of the sweep. */
const OPERATIONS: Record<Keeper, string[]> = {
  tonplug: [
    'inbox.storeAndFind',
    'inbox.completeAndDecide',
    'inbox.failAndDecide',
    'inbox.decide',
    ...HANDLING,
  ],
  'shop-in-transaction': [
    'shop.find',
    'inbox.store',
    'BEGIN',
    'shop.completed',
    'inbox.decide',
    'COMMIT',
    ...HANDLING,
  ],
  'shop-apart': ['shop.find', 'inbox.store', 'shop.completed', 'inbox.decide', ...HANDLING],
}

const MOMENTS: Moment[] = ['before', 'during', 'answered', 'after']

/** Endless instants: every operation at every moment, in random order, then again in another one. */
export function* instants(random: Random, keeper: Keeper): Generator<Instant, never> {
  const places = OPERATIONS[keeper].flatMap((operation) =>
    MOMENTS.map((moment) => ({ operation, moment })),
  )
  for (;;) {
    for (const place of random.shuffle(places)) {
      yield { ...place, skip: random.below(4), turns: random.below(12) }
    }
  }
}
