import { isTonplugError } from '../../shared/tonplug-error.js'
import { describeThrown, errorFacts } from '../../shared/error-facts.js'
import { MAX_ORDER_AGE_MS } from './open-order-list.js'
import { settledUntil } from './checked-until.js'
import type { ResolvedWatcherOptions } from './options.js'
import { followWallets } from './follow-wallets.js'
import { lookBack } from './look-back.js'
import { lookUpNext } from './look-up.js'
import type { WatcherMemory } from './memory.js'
import { releaseRefunds } from './release-refunds.js'
import { restoreRefunds } from './restore-refunds.js'
import { createRun, type Run, type WatchProgress } from './run-state.js'
import { settleCandidates, settleRetries } from './settle-candidates.js'
import { loadProgress, StoredProgress } from './stored-progress.js'
import { checkWallets } from './wallet-check.js'
import { createTally, type Tally, type WatchReport } from './watch-report.js'

/** Transactions and credits that are remembered as submitted. */
const MAX_SEEN = 50_000
/** Open orders that a run looks up individually. */
const LOOKUPS = 2

/** Options of one run. */
export interface RunOptions {
  /** Ends the run. */
  signal: AbortSignal
  /**
   * True when all open orders are listed again, the last ten minutes are read again, and orders are looked up individually.
   * Other runs find new payments by few requests, and save nothing but their retries.
   */
  isThorough: boolean
  maxOrderAgeMs?: number | undefined
  lookups?: number | undefined
  onProgress?: ((progress: WatchProgress) => void) | undefined
}

/** Runs once. @throws the signal's reason, and errors that are neither of a client nor of a store. */
export async function runOnce(
  options: ResolvedWatcherOptions,
  memory: WatcherMemory,
  run: RunOptions,
): Promise<WatchReport> {
  const { clock, logger } = options
  const tally = createTally(clock.nowMs())
  const end = (problem?: string): WatchReport => endRun(memory, tally, clock.nowMs(), problem)
  memory.nextRetryAtMs = undefined
  try {
    if (run.isThorough) memory.refusal = await checkWallets(options, memory, run.signal)
    if (memory.refusal !== undefined) {
      logger.error('watcher does not run: a wallet cannot be paid', { problem: memory.refusal })
      return end(memory.refusal)
    }
    await scan(options, memory, { ...run, tally })
    return end()
  } catch (error) {
    if (run.signal.aborted) {
      end('aborted')
      throw run.signal.reason
    }
    logger.warn('watcher run failed; the next one continues', { error: errorFacts(error) })
    // Any other error is a programming error.
    if (!isTonplugError(error)) throw error
    return end(describeThrown(error))
  }
}

/**
 * Retries what could not be explained before, reads what the wallets received, and looks up some orders individually.
 * @throws what API v3, the gateway and the stores throw, and the signal's reason.
 */
async function scan(
  options: ResolvedWatcherOptions,
  memory: WatcherMemory,
  { tally, signal, isThorough, ...given }: RunOptions & { tally: Tally },
): Promise<void> {
  const { openOrders, chainClock } = memory
  const { maxOrderAgeMs = MAX_ORDER_AGE_MS, lookups = LOOKUPS, onProgress = ignore } = given
  const request = { priority: 'low', signal } as const
  const lookedAtMs = options.clock.nowMs()
  // Before the orders are read: up to here the index is complete for them.
  const { gen_utime: head } = (await options.v3.masterchainInfo({}, request)).last
  chainClock.observe(lookedAtMs, head)
  await (isThorough ? openOrders.reload(maxOrderAgeMs) : openOrders.addNew())
  Object.assign(tally, openOrders.counts)
  const progress = await loadProgress(options, signal)
  const parts = { memory, tally, request, progress, head, maxOrderAgeMs, lookups, onProgress }
  const run = createRun(options, parts)
  try {
    await readWallets(run, isThorough)
  } finally {
    tally.unsettled = progress.retries.size
    if (memory.scannedTo > 0) tally.scannedTo = memory.scannedTo
    await progress.saveRetries()
  }
  run.storeFailures.throwFirst()
  memory.nextRetryAtMs = progress.retries.nextAtMs()
  // An unfinished look back is a gap.
  if (memory.lookBack === undefined) {
    memory.checkedUntil = settledUntil(head, progress.retries.entries())
  }
}

async function readWallets(run: Run, isThorough: boolean): Promise<void> {
  await settleRetries(run)
  // New payments do not wait for the end of a look back that takes several runs.
  const { to: lookingBackTo = -1 } = run.memory.lookBack ?? {}
  const isBehind = lookingBackTo >= (run.progress.current.scannedTo ?? 0)
  if (!isThorough || isBehind) await followWallets(run)
  if (isThorough) {
    await lookBack(run)
    await lookUpNext(run)
    await releaseRefunds(run)
  }
  await restoreRefunds(run)
}

function ignore(): void {
  // A scheduled run shows no progress.
}

function endRun(
  memory: WatcherMemory,
  tally: Tally,
  nowMs: number,
  problem: string | undefined,
): WatchReport {
  const isComplete = problem === undefined
  const report = { ...tally, durationMs: nowMs - tally.startedAtMs, isComplete, problem }
  memory.last = report
  if (isComplete) memory.completeAtMs = nowMs
  remember(memory, tally)
  return report
}

/** Counts the decisions, and bounds what is remembered. */
function remember(memory: WatcherMemory, tally: Tally): void {
  const { decisions, seen, submitted, stored } = memory
  for (const [name, count] of Object.entries(tally.decisions)) {
    // The keys are kinds of decisions.
    const kind = name as keyof typeof decisions
    decisions[kind] = (decisions[kind] ?? 0) + count
  }
  for (const known of [seen, submitted, stored]) if (known.size > MAX_SEEN) known.clear()
}

/**
 * Submits the payments of some transactions, at most 50, by one request for their traces. Neither reads nor moves the
 * cursor: a run finds what is missing here.
 * @param hashes in base64
 * @returns those that the index does not have yet, or not completely.
 * @throws what API v3 and the stores throw, and the signal's reason.
 */
export async function lookUpTransactions(
  options: ResolvedWatcherOptions,
  memory: WatcherMemory,
  { hashes, signal }: { hashes: readonly string[]; signal: AbortSignal },
): Promise<string[]> {
  const wanted = hashes.filter((hash) => !memory.seen.has(hash))
  if (wanted.length === 0) return []
  const tally = createTally(options.clock.nowMs())
  try {
    await memory.openOrders.refresh()
    const run = createRun(options, {
      // An order may be stored after a look-up.
      memory: { ...memory, looked: new Set() },
      tally,
      request: { priority: 'low', signal },
      // Its transactions are not retried for a day, as transactions of a scan are.
      progress: new StoredProgress(options, {}),
      // The next look back reports transfers that name no order.
      head: 0,
      maxOrderAgeMs: MAX_ORDER_AGE_MS,
      lookups: 0,
      onProgress: ignore,
    })
    await settleCandidates(
      run,
      wanted.map((txHash) => ({ txHash, utime: 0 })),
    )
    run.storeFailures.throwFirst()
    return wanted.filter((hash) => run.progress.retries.has(hash))
  } finally {
    remember(memory, tally)
  }
}
