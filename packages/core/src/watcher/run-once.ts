import type { JettonWallets } from './proof/jetton-wallets.js'
import { FailureLimit } from './failure-limit.js'
import { lookUp } from './look-up.js'
import { NamedOrders } from './named-orders.js'
import type { OpenOrderList } from './open-order-list.js'
import type { OpenOrders } from './open-orders.js'
import { openProgress, saveRetries, type OpenProgress } from './open-progress.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { Tally } from './watch-report.js'
import {
  scanRecent,
  scanThoroughly,
  type ScanMemory,
  type Scanning,
  type WatchProgress,
} from './scan-periods.js'
import { settleRetries, type SettleCandidatesOptions } from './settle-candidates.js'

/** The period to scan for orders without a creation time. */
const UNDATED_SECONDS = 7 * 86_400
/** A trace that fails costs up to seven requests in a row until it is alone. */
const INDEX_FAILURES_IN_ROW = 10
const STORE_FAILURES_IN_ROW = 2

/** The memory of a watcher, kept from run to run. */
export interface WatchMemory extends ScanMemory {
  /** Transactions whose payments were submitted. */
  seen: Set<string>
  /** Transactions that were submitted because they name no order. */
  unnamed: Set<string>
  /** Transactions that were processed since the last thorough scan began, with or without a payment. */
  looked: Set<string>
  /** Verified jetton wallets. */
  jettonWallets: JettonWallets
  openOrders: OpenOrderList
}

/** The state of a run, besides the options. */
export interface RunState {
  tally: Tally
  signal: AbortSignal
  memory: WatchMemory
  /**
   * True when all open orders are listed again, the overlap is scanned from the cursor on, and orders are looked up
   * individually. A run that is not thorough finds new payments by few requests, and saves nothing.
   */
  isThorough: boolean
  onProgress: (progress: WatchProgress) => void
}

/**
 * Retries what could not be explained before, scans what recipients received since the last run, and then looks up some
 * orders individually. The progress is saved after each window.
 * @returns when the next transaction is due to be retried.
 * @throws what API v3, the gateway and the stores throw, and the signal's reason.
 */
export async function runOnce(
  options: ResolvedWatcherOptions,
  { tally, signal, memory, isThorough, onProgress }: RunState,
): Promise<number | undefined> {
  const { openOrders } = memory
  const request = { priority: 'low', signal } as const
  // Before the orders are read: up to here the index is complete for them.
  const { gen_utime: head } = (await options.v3.masterchainInfo({}, request)).last
  await (isThorough ? openOrders.reload() : openOrders.addNew())
  Object.assign(tally, openOrders.counts)
  const progress = await openProgress(options)
  const { retries } = progress
  const settling = settlingOf(options, { memory, tally, request, retries, isThorough, head })
  const { maxOrderAgeMs, overlapMs } = options
  const scanning = { ...progress, memory, head, maxOrderAgeMs, overlapMs, onProgress }
  if (isThorough) await beginPeriod(options, scanning, openOrders.index)
  try {
    await settleRetries(settling)
    if (isThorough) {
      await scanThoroughly(settling, scanning)
      await lookUpNext(options, settling, progress)
    } else {
      await scanRecent(settling, scanning)
    }
  } finally {
    tally.unsettled = retries.size
    if (memory.scannedTo > 0) tally.scannedTo = memory.scannedTo
    if (retries.takeChange()) await saveRetries(options, progress)
  }
  const failure = settling.storeFailures.first
  if (failure !== undefined) throw failure.error
  return retries.nextAtMs()
}

/** Returns the dependencies of deciding what a run finds. */
export function settlingOf(
  { payments, v3, logger, ...rules }: ResolvedWatcherOptions,
  {
    memory: { openOrders, seen, unnamed, looked, jettonWallets },
    ...run
  }: Pick<SettleCandidatesOptions, 'tally' | 'request' | 'retries' | 'isThorough' | 'head'> & {
    memory: WatchMemory
  },
): SettleCandidatesOptions {
  const { wallets, orders: repository } = payments
  const orders = openOrders.index
  return {
    ...run,
    payments,
    v3,
    logger,
    seen,
    unnamed,
    looked,
    jettonWallets,
    orders,
    wallets: new Set([...(wallets ?? []), ...orders.recipients]),
    named: new NamedOrders({ ...rules, wallets, repository, listed: orders }),
    indexFailures: new FailureLimit(INDEX_FAILURES_IN_ROW),
    storeFailures: new FailureLimit(STORE_FAILURES_IN_ROW),
    decided: new Set(),
  }
}

/** Moves the cursor back to the oldest open order on the first run, and every `fullEveryMs`. */
async function beginPeriod(
  { clock, fullEveryMs }: ResolvedWatcherOptions,
  { current, save, head, memory }: Scanning,
  orders: OpenOrders,
): Promise<void> {
  const { scannedTo, fullAtMs = 0 } = current()
  const nowMs = clock.nowMs()
  if (scannedTo !== undefined && nowMs - fullAtMs < fullEveryMs) return
  const first = Math.min(firstSecond(orders, head), scannedTo ?? Infinity)
  await save({ scannedTo: first, fullAtMs: nowMs })
  memory.unfinished = undefined
}

/** @throws the first error of the gateway, after the progress was saved. */
async function lookUpNext(
  options: ResolvedWatcherOptions,
  settling: SettleCandidatesOptions,
  { current, save }: OpenProgress,
): Promise<void> {
  const { place, failure } = await lookUp({ ...options, ...settling }, current().lookedUp)
  await save({ lookedUp: place })
  if (failure !== undefined) throw failure
}

/** Returns when the oldest order began to wait for its payment, Unix seconds. */
function firstSecond({ all, oldestMs }: OpenOrders, head: number): number {
  const isUndated = all.some(({ createdMs }) => createdMs === undefined)
  const oldest = oldestMs === undefined ? head : Math.floor(oldestMs / 1000)
  return isUndated ? Math.min(oldest, head - UNDATED_SECONDS) : oldest
}
