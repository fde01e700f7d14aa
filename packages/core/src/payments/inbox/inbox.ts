import type { Order, OrderKey, Payment, PaymentFailure } from '../orders/order.js'
import type { OrderRepository, Transition } from '../orders/repository.js'
import type { InboxCredits } from './inbox-credits.js'
import type { InboxProcesses } from './inbox-processes.js'
import type {
  DecisionRecord,
  InboxReports,
  NewReport,
  Report,
  StoredDecision,
} from './inbox-reports.js'
import type { InboxTasks } from './inbox-tasks.js'

/**
 * Stores every authentic report before the rules are applied, and keeps it until its handlers are done. All methods are
 * atomic and safe to call from several processes. Times are durations: due times and leases follow the clock of the store.
 */
export interface Inbox {
  /** Shown in the start-up line, for example `postgres`. */
  readonly name: string
  /** True when rows outlive the process. */
  readonly isDurable: boolean
  readonly reports: InboxReports
  readonly tasks: InboxTasks
  readonly credits: InboxCredits
  readonly processes: InboxProcesses
  /** Counts unfinished work of one Payments, or of all. */
  stats(query?: { name?: string | undefined }): Promise<InboxStats>
  /** Sums what arrived in a period for one Payments and for no order, and the prices of the orders that it completed. */
  sums(period: SumsPeriod): Promise<InboxSums>
  /** Passes a function that logs a notice of the store as a warning. Called once by each Payments. */
  onNotice?(log: (message: string) => void): void
  /**
   * For an inbox that can share transactions with these orders. Called once by each Payments.
   * @returns `undefined` when it cannot; each step is then taken separately, and repaired if the next one fails.
   */
  joinOrders?<O extends Order>(orders: OrderRepository<O>): JoinedOrders<O> | undefined
}

/** A period of one Payments. */
export interface SumsPeriod {
  name: string
  /** Milliseconds since the Unix epoch. */
  fromMs: number
  /** Milliseconds since the Unix epoch; not included. */
  beforeMs: number
}

/** Sums of a period. */
export interface InboxSums {
  /** Credits by the time of their blocks, by asset. */
  credits: readonly SumOfCredits[]
  /** Reports that completed an order with a price, by the time when they were stored, by currency. */
  prices: readonly SumOfPrices[]
  /** Reports that completed an order without a price. */
  unpriced: number
}

/** Credits in one asset. */
export interface SumOfCredits {
  /** `'TON'` or the jetton master as `workchain:hash`. */
  asset: string
  /** Base units. */
  rawAmount: bigint
  count: number
}

/** Prices in one currency, as stored with the offers that were paid. */
export interface SumOfPrices {
  currency: string
  /** Decimal string without trailing zeros, for example `'12.5'`. */
  price: string
  count: number
}

/** Unfinished work of an inbox. */
export interface InboxStats {
  /** Reports that the rules have not decided. */
  undecided: number
  /** Reports that wait for their order, for the proof of their payment, or until the chain shows it. */
  parked: number
  /** Reports whose body cannot be read. */
  unreadable: number
  /** Handler tasks that are due, waiting or running. Proofs are counted with their report, as parked. */
  open: number
  /** Handler tasks that a queue engine has accepted, and neither finished nor failed. */
  relayed: number
  /** Handler tasks that have used all their attempts. */
  dead: number
  /**
   * Age of the oldest undecided report or open handler task, milliseconds, since it was stored or replayed; `undefined`
   * without one.
   */
  oldestOpenAgeMs: number | undefined
  /** Time since the oldest relayed task was handed over, milliseconds; `undefined` without one. */
  oldestRelayedAgeMs: number | undefined
  /** Names the first table that cannot be written, and why; absent when all can. */
  problem?: string | undefined
}

/**
 * Result of a joined transition. Only one that is `applied` records the decision. `reused`: a payment was claimed by another
 * order.
 */
export type JoinedTransition =
  | ({ transition: 'applied' } & StoredDecision)
  | { transition: Exclude<Transition, 'applied'> | 'reused' }

/** Steps that an inbox can take together for orders in its own database, in one transaction each. */
export interface JoinedOrders<O extends Order = Order> {
  /**
   * `orders.find`, then `store`. `wasCompletedBefore` follows from the order. Absent where the order can only be read
   * separately.
   */
  storeAndFind?(
    report: Omit<NewReport, 'wasCompletedBefore'>,
  ): Promise<{ report: Report; order: O | null }>
  /** `claimPayments`, `orders.complete`, then `decide`; nothing of these unless all are allowed. */
  completeAndDecide(
    reportId: string,
    move: {
      key: Required<OrderKey>
      payment: Payment
      /** As in {@link InboxCredits.claim}. */
      payments: readonly string[]
      /** As in {@link InboxCredits.claim}. */
      usedAmount?: bigint | undefined
      /** Hashes, see {@link InboxCredits.claim}; the result is `reused` when such a credit is stored. */
      unlessStored?: readonly string[] | undefined
      record: DecisionRecord
    },
  ): Promise<JoinedTransition>
  /** `orders.fail`, then `decide`, unless the order does not allow it. */
  failAndDecide(
    reportId: string,
    move: { key: Required<OrderKey>; failure: PaymentFailure; record: DecisionRecord },
  ): Promise<JoinedTransition>
}
