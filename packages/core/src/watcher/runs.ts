import { isTonplugError } from '../shared/tonplug-error.js'
import { describeThrown, errorFacts } from '../shared/error-facts.js'
import type { ResolvedWatcherOptions } from './options.js'
import { ChainClock } from './chain-clock.js'
import { createJettonWallets } from './proof/jetton-wallets.js'
import { lookUpNext } from './look-up.js'
import { OpenOrderList } from './open-order-list.js'
import { OpenProgress, openProgress } from './open-progress.js'
import { createRun, type Run, type WatchMemory, type WatchProgress } from './run.js'
import { beginPeriod, scanRecent, scanThoroughly } from './scan-periods.js'
import { settleCandidates, settleRetries } from './settle-candidates.js'
import { WalletCheck } from './wallet-check.js'
import { createTally, type Tally, type WatchReport } from './watch-report.js'

/** Transactions and credits that are remembered as submitted. */
const MAX_SEEN = 50_000

interface RunRequest {
  /** Ends the run. */
  signal: AbortSignal
  isThorough: boolean
  onProgress?: ((progress: WatchProgress) => void) | undefined
}

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
  /** Why nothing is watched: a wallet of Payments cannot be paid. */
  refusal: string | undefined
  /** The number of decisions in all runs, by kind. */
  readonly decisions: WatchReport['decisions'] = {}
  readonly openOrders: OpenOrderList
  readonly chainClock: ChainClock
  readonly #options: ResolvedWatcherOptions
  readonly #walletCheck: WalletCheck
  readonly #memory: WatchMemory

  constructor(options: ResolvedWatcherOptions) {
    this.#options = options
    this.#walletCheck = new WalletCheck(options)
    this.openOrders = new OpenOrderList(options)
    this.chainClock = new ChainClock(options)
    this.#memory = {
      seen: new Set(),
      submitted: new Set(),
      looked: new Set(),
      jettonWallets: createJettonWallets(options.v3),
      openOrders: this.openOrders,
      chainClock: this.chainClock,
      scannedTo: 0,
      unfinished: undefined,
    }
  }

  /** Runs once. @throws the signal's reason, and errors that are neither of a client nor of a store. */
  async run({
    signal,
    isThorough,
    onProgress = () => undefined,
  }: RunRequest): Promise<WatchReport> {
    const { clock, logger } = this.#options
    const tally = createTally(clock.nowMs())
    const request = { priority: 'low', signal } as const
    this.nextRetryAtMs = undefined
    try {
      if (isThorough) this.refusal = await this.#walletCheck.run(request)
      if (this.refusal !== undefined) {
        logger.error('watcher does not run: a wallet cannot be paid', { problem: this.refusal })
        return this.#end(tally, this.refusal)
      }
      const state = { memory: this.#memory, tally, request, isThorough, onProgress }
      this.nextRetryAtMs = await runOnce(this.#options, state)
      return this.#end(tally, undefined)
    } catch (error) {
      if (signal.aborted) {
        this.#end(tally, 'aborted')
        throw signal.reason
      }
      logger.warn('watcher run failed; the next one continues', { error: errorFacts(error) })
      // Any other error is a programming error.
      if (!isTonplugError(error)) throw error
      return this.#end(tally, describeThrown(error))
    }
  }

  #end(tally: Tally, problem: string | undefined): WatchReport {
    const nowMs = this.#options.clock.nowMs()
    const isComplete = problem === undefined
    this.last = { ...tally, durationMs: nowMs - tally.startedAtMs, isComplete, problem }
    if (isComplete) this.completeAtMs = nowMs
    this.#count(tally)
    this.#forget()
    return this.last
  }

  #forget(): void {
    const { seen, submitted } = this.#memory
    for (const known of [seen, submitted]) if (known.size > MAX_SEEN) known.clear()
  }

  /**
   * Submits the payments of some transactions, at most 50, by one request for their traces. Neither reads nor moves the
   * cursor: a scan finds what is missing here.
   * @param hashes in base64
   * @returns those that the index does not have yet, or not completely.
   * @throws what API v3 and the stores throw, and the signal's reason.
   */
  async lookUp(hashes: readonly string[], signal: AbortSignal): Promise<string[]> {
    const wanted = hashes.filter((hash) => !this.#memory.seen.has(hash))
    if (wanted.length === 0) return []
    const tally = createTally(this.#options.clock.nowMs())
    try {
      await this.openOrders.refresh()
      const run = this.#createLookUp(tally, signal)
      await settleCandidates(
        run,
        wanted.map((txHash) => ({ txHash, utime: 0 })),
      )
      const { retries } = run.progress
      run.storeFailures.throwFirst()
      return wanted.filter((hash) => retries.has(hash))
    } finally {
      this.#count(tally)
      this.#forget()
    }
  }

  #createLookUp(tally: Tally, signal: AbortSignal): Run {
    return createRun(this.#options, {
      // An order may be stored after a look-up.
      memory: { ...this.#memory, looked: new Set() },
      tally,
      request: { priority: 'low', signal },
      // Its transactions are not retried for a day, as those of a scan are.
      progress: new OpenProgress(this.#options, {}),
      isThorough: false,
      // The next thorough scan reports transfers that name no order.
      head: 0,
      onProgress: () => undefined,
    })
  }

  #count({ decisions }: Tally): void {
    for (const [name, count] of Object.entries(decisions)) {
      // The keys are kinds of decisions.
      const kind = name as keyof typeof decisions
      this.decisions[kind] = (this.decisions[kind] ?? 0) + count
    }
  }
}

/**
 * Retries what could not be explained before, scans what recipients received since the last run, and then looks up some
 * orders individually. The progress is saved after each window.
 * @returns when the next transaction is due to be retried.
 * @throws what API v3, the gateway and the stores throw, and the signal's reason.
 */
async function runOnce(
  options: ResolvedWatcherOptions,
  state: Pick<Run, 'memory' | 'tally' | 'request' | 'isThorough' | 'onProgress'>,
): Promise<number | undefined> {
  const { memory, tally, request, isThorough } = state
  const { openOrders, chainClock } = memory
  const lookedAtMs = options.clock.nowMs()
  // Before the orders are read: up to here the index is complete for them.
  const { gen_utime: head } = (await options.v3.masterchainInfo({}, request)).last
  chainClock.observe(lookedAtMs, head)
  await (isThorough ? openOrders.reload() : openOrders.addNew())
  Object.assign(tally, openOrders.counts)
  const progress = await openProgress(options, request.signal)
  const { retries } = progress
  const run = createRun(options, { ...state, head, progress })
  if (isThorough) await beginPeriod(run)
  try {
    await settleRetries(run)
    if (isThorough) {
      await scanThoroughly(run)
      await lookUpNext(run)
    } else {
      await scanRecent(run)
    }
  } finally {
    tally.unsettled = retries.size
    if (memory.scannedTo > 0) tally.scannedTo = memory.scannedTo
    await progress.saveRetries()
  }
  run.storeFailures.throwFirst()
  return retries.nextAtMs()
}
