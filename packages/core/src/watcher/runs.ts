import { isTonplugError } from '../shared/tonplug-error.js'
import type { Order } from '../orders/order.js'
import { describeThrown, errorFacts } from '../shared/error-facts.js'
import type { ResolvedWatcherOptions } from './options.js'
import { createJettonWallets } from './proof/jetton-wallets.js'
import { createOpenOrderList, type OpenOrderList } from './open-order-list.js'
import { runOnce, type RunState, type WatchMemory } from './run-once.js'
import { createTally, type Tally, type WatchReport } from './watch-report.js'

/** Transactions that are remembered as submitted. */
const MAX_SEEN = 50_000

/** A run, with its time limit. */
type RunRequest = Pick<RunState, 'signal' | 'isThorough'> & Partial<Pick<RunState, 'onProgress'>>

/** The runs of this process and their counters. */
export interface Runs {
  /** Runs once. @throws the signal's reason, and errors that are neither of a client nor of a store. */
  run(request: RunRequest): Promise<WatchReport>
  /** The report of the last run. */
  readonly last: WatchReport | undefined
  /** When a run was last complete, milliseconds since the Unix epoch. */
  readonly completeAtMs: number
  /** The number of decisions in all runs, by kind. */
  readonly decisions: WatchReport['decisions']
  readonly openOrders: Pick<OpenOrderList, 'addNew' | 'newestMs'>
  /** When a transaction is due to be retried, milliseconds since the Unix epoch. */
  readonly nextRetryAtMs: number | undefined
}

/** Creates the runs of a watcher. Submitted transactions and verified jetton wallets are remembered from run to run. */
export function createRuns<O extends Order>(options: ResolvedWatcherOptions<O>): Runs {
  const { clock, logger } = options
  const memory: WatchMemory = {
    seen: new Set(),
    looked: new Set(),
    jettonWallets: createJettonWallets(options.v3),
    openOrders: createOpenOrderList(options),
    scannedTo: 0,
  }
  const decisions: WatchReport['decisions'] = {}
  let last: WatchReport | undefined
  let completeAtMs = -Infinity
  let nextRetryAtMs: number | undefined

  const end = (tally: Tally, problem: string | undefined): WatchReport => {
    const { count: _count, ...facts } = tally
    const durationMs = clock.nowMs() - tally.startedAtMs
    last = { ...facts, durationMs, isComplete: problem === undefined, problem }
    if (last.isComplete) completeAtMs = clock.nowMs()
    addCounts(decisions, tally.decisions)
    if (memory.seen.size > MAX_SEEN) memory.seen.clear()
    return last
  }

  return {
    async run(request) {
      const tally = createTally(clock.nowMs())
      nextRetryAtMs = undefined
      try {
        const state = { onProgress: () => undefined, ...request, tally, memory }
        nextRetryAtMs = await runOnce(options, state)
        return end(tally, undefined)
      } catch (error) {
        if (request.signal.aborted) {
          end(tally, 'aborted')
          throw request.signal.reason
        }
        logger.warn('watcher run failed; the next one continues', { error: errorFacts(error) })
        // Any other error is a programming error.
        if (!isTonplugError(error)) throw error
        return end(tally, describeThrown(error))
      }
    },
    get last() {
      return last
    },
    get completeAtMs() {
      return completeAtMs
    },
    decisions,
    openOrders: memory.openOrders,
    get nextRetryAtMs() {
      return nextRetryAtMs
    },
  }
}

function addCounts(total: WatchReport['decisions'], counts: WatchReport['decisions']): void {
  for (const [name, count] of Object.entries(counts)) {
    // The keys are kinds of decisions.
    const kind = name as keyof typeof total
    total[kind] = (total[kind] ?? 0) + count
  }
}
