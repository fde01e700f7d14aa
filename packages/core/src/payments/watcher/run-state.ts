import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { WatcherMemory } from './memory.js'
import { NamedOrders } from './named-orders.js'
import type { OpenOrders } from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { JettonWallets } from './proof/jetton-wallets.js'
import type { StoredProgress } from './stored-progress.js'
import type { Period } from './wallet-lists.js'
import type { Tally } from './watch-report.js'

/** A trace that fails costs up to seven requests in a row until it is alone. */
const INDEX_FAILURES_IN_ROW = 10
const STORE_FAILURES_IN_ROW = 2

/** The progress of a scan of a period. */
export interface WatchProgress extends Period {
  /** The chain has been scanned up to this time, Unix seconds. */
  scannedTo: number
}

/** The state of a run that its caller knows. */
interface RunParts {
  memory: WatcherMemory
  tally: Tally
  request: RequestOptions
  progress: StoredProgress
  /** Time of the newest block of the index, Unix seconds. */
  head: number
  /** Older open orders are not listed, and no scan begins earlier. */
  maxOrderAgeMs: number
  /** Open orders that are looked up individually. */
  lookups: number
  onProgress: (progress: WatchProgress) => void
}

/** A run, or a look-up of reported transactions: the options, and its state. */
export interface Run extends ResolvedWatcherOptions, RunParts {
  jettonWallets: JettonWallets
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
export function createRun(options: ResolvedWatcherOptions, parts: RunParts): Run {
  const { openOrders, jettonWallets, chainClock } = parts.memory
  const orders = openOrders.index
  return {
    ...options,
    ...parts,
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
