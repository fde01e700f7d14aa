import { isTonplugError } from '../shared/tonplug-error.js'
import { describeThrown, errorFacts } from '../shared/error-facts.js'
import type { ResolvedWatcherOptions } from './options.js'
import { createJettonWallets } from './proof/jetton-wallets.js'
import { lookUpTransactions } from './look-up-transactions.js'
import { OpenOrderList } from './open-order-list.js'
import { runOnce, type RunState, type WatchMemory } from './run-once.js'
import { createTally, type Tally, type WatchReport } from './watch-report.js'

/** Transactions that are remembered as submitted. */
const MAX_SEEN = 50_000

/** A run, with its time limit. */
type RunRequest = Pick<RunState, 'signal' | 'isThorough'> & Partial<Pick<RunState, 'onProgress'>>

/**
 * The runs of this process and their counters. Submitted transactions and verified jetton wallets are remembered from run to
 * run.
 */
export class Runs {
  /** The report of the last run. */
  last: WatchReport | undefined
  /** When a run was last complete, milliseconds since the Unix epoch. */
  completeAtMs = -Infinity
  /** When a transaction is due to be retried, milliseconds since the Unix epoch. */
  nextRetryAtMs: number | undefined
  /** The number of decisions in all runs, by kind. */
  readonly decisions: WatchReport['decisions'] = {}
  readonly openOrders: OpenOrderList
  readonly #options: ResolvedWatcherOptions
  readonly #memory: WatchMemory

  constructor(options: ResolvedWatcherOptions) {
    this.#options = options
    this.openOrders = new OpenOrderList(options)
    this.#memory = {
      seen: new Set(),
      unnamed: new Set(),
      looked: new Set(),
      jettonWallets: createJettonWallets(options.v3),
      openOrders: this.openOrders,
      scannedTo: 0,
      unfinished: undefined,
    }
  }

  /** Runs once. @throws the signal's reason, and errors that are neither of a client nor of a store. */
  async run(request: RunRequest): Promise<WatchReport> {
    const { clock, logger } = this.#options
    const tally = createTally(clock.nowMs())
    this.nextRetryAtMs = undefined
    try {
      const state = { onProgress: () => undefined, ...request, tally, memory: this.#memory }
      this.nextRetryAtMs = await runOnce(this.#options, state)
      return this.#end(tally, undefined)
    } catch (error) {
      if (request.signal.aborted) {
        this.#end(tally, 'aborted')
        throw request.signal.reason
      }
      logger.warn('watcher run failed; the next one continues', { error: errorFacts(error) })
      // Any other error is a programming error.
      if (!isTonplugError(error)) throw error
      return this.#end(tally, describeThrown(error))
    }
  }

  #end(tally: Tally, problem: string | undefined): WatchReport {
    const { count: _count, ...facts } = tally
    const { seen, unnamed } = this.#memory
    const nowMs = this.#options.clock.nowMs()
    const isComplete = problem === undefined
    this.last = { ...facts, durationMs: nowMs - tally.startedAtMs, isComplete, problem }
    if (isComplete) this.completeAtMs = nowMs
    addCounts(this.decisions, tally.decisions)
    for (const hashes of [seen, unnamed]) if (hashes.size > MAX_SEEN) hashes.clear()
    return this.last
  }

  /** Submits the payments of transactions. @returns those that the index does not have yet. @throws like `run`. */
  async lookUp(hashes: readonly string[], signal: AbortSignal): Promise<string[]> {
    const tally = createTally(this.#options.clock.nowMs())
    try {
      return await lookUpTransactions(
        this.#options,
        { tally, signal, memory: this.#memory },
        hashes,
      )
    } finally {
      addCounts(this.decisions, tally.decisions)
    }
  }

  /** Returns the wallets to watch: those of Payments, and the recipients of open orders. */
  wallets(): ReadonlySet<string> {
    const { wallets = [] } = this.#options.payments
    return new Set([...wallets, ...this.openOrders.index.recipients])
  }
}

function addCounts(total: WatchReport['decisions'], counts: WatchReport['decisions']): void {
  for (const [name, count] of Object.entries(counts)) {
    // The keys are kinds of decisions.
    const kind = name as keyof typeof total
    total[kind] = (total[kind] ?? 0) + count
  }
}
