import type { ChainClock } from './chain-clock.js'
import { NamedOrders } from './named-orders.js'
import type { OpenOrderList } from './open-order-list.js'
import type { OpenOrders } from './open-orders.js'
import type { OpenProgress } from './open-progress.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { JettonWallets } from './proof/jetton-wallets.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'
import type { Tally } from './watch-report.js'

/** A trace that fails costs up to seven requests in a row until it is alone. */
const INDEX_FAILURES_IN_ROW = 10
const STORE_FAILURES_IN_ROW = 2

/** A period of the chain, both ends included, Unix seconds. */
export interface Period {
  from: number
  to: number
}

/** The progress of a scan of a period. */
export interface WatchProgress extends Period {
  /** The chain has been scanned up to this time, Unix seconds. */
  scannedTo: number
}

/** The memory of a watcher, kept from run to run. */
export interface WatchMemory {
  /** Transactions of traces whose credits were all submitted as payments of orders. */
  seen: Set<string>
  /** Credits that were submitted. An order of another one may be stored later, so their traces may be read again. */
  submitted: Set<string>
  /** Transactions that were explained since the last thorough scan began, with or without a payment. */
  looked: Set<string>
  /** Verified jetton wallets. */
  jettonWallets: JettonWallets
  openOrders: OpenOrderList
  chainClock: ChainClock
  /** The newest block of the last scan, Unix seconds. Only thorough scans move the cursor. */
  scannedTo: number
  /** The remaining period of a thorough scan whose run has ended early. */
  unfinished: Period | undefined
}

/** The state of a run that its caller knows. */
interface RunState {
  memory: WatchMemory
  tally: Tally
  request: RequestOptions
  progress: OpenProgress
  /**
   * True when all open orders are listed again, the overlap is scanned from the cursor on, and orders are looked up
   * individually. A run that is not thorough finds new payments by few requests, and saves nothing.
   */
  isThorough: boolean
  /** Time of the newest block of the index, Unix seconds. */
  head: number
  onProgress: (progress: WatchProgress) => void
}

/** A run, or a look-up of reported transactions: the options, and its state. */
export interface Run extends ResolvedWatcherOptions, RunState, Pick<WatchMemory, 'jettonWallets'> {
  orders: OpenOrders
  /** The scanned wallets, canonical. */
  wallets: ReadonlySet<string>
  named: NamedOrders
  indexFailures: FailureLimit
  storeFailures: FailureLimit
  /** Time by which the clock that dates orders is ahead of the chain, milliseconds; 0 for a difference of seconds. */
  clockAheadMs: number
  /** False while that time is unknown. */
  isClockKnown: boolean
  /** Keys of {@link orderId} of orders whose transfers were submitted. */
  decided: Set<string>
}

/** Creates a run with the open orders that are listed at this moment. */
export function createRun(options: ResolvedWatcherOptions, state: RunState): Run {
  const { openOrders, jettonWallets, chainClock } = state.memory
  const orders = openOrders.index
  return {
    ...options,
    ...state,
    jettonWallets,
    orders,
    wallets: openOrders.wallets(),
    named: new NamedOrders(options, orders),
    indexFailures: new FailureLimit(INDEX_FAILURES_IN_ROW),
    storeFailures: new FailureLimit(STORE_FAILURES_IN_ROW),
    clockAheadMs: chainClock.correctionMs,
    isClockKnown: chainClock.isKnown,
    decided: new Set(),
  }
}

/** Distinguishes a failure of one item from an outage: an outage fails for every item. */
class FailureLimit {
  readonly #most: number
  #first: { error: unknown } | undefined
  #inRow = 0

  /** @param most failures in a row that are not an outage */
  constructor(most: number) {
    this.#most = most
  }

  /** Counts a failure. @throws {unknown} the failure, when too many occurred in a row. */
  fail(error: unknown): void {
    this.#inRow++
    this.#first ??= { error }
    if (this.#inRow > this.#most) throw error
  }

  succeed(): void {
    this.#inRow = 0
  }

  /** @throws {unknown} the first failure. */
  throwFirst(): void {
    if (this.#first !== undefined) throw this.#first.error
  }
}
