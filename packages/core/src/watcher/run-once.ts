import type { Order } from '../orders/order.js'
import type { JettonWallets } from './proof/jetton-wallets.js'
import { errorFacts } from '../shared/error-facts.js'
import { readProgress, type Progress } from './cursor.js'
import { createFailureLimit } from './failure-limit.js'
import { inChunks } from './in-chunks.js'
import { lookUp } from './look-up.js'
import { createNamedOrders } from './named-orders.js'
import type { OpenOrderList } from './open-order-list.js'
import type { OpenOrders } from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'
import type { Tally } from './watch-report.js'
import { createRetryQueue, type RetryQueue } from './retry-queue.js'
import { scanCoins, scanJettons } from './scan.js'
import {
  settleCandidates,
  settleRetries,
  type SettleCandidatesOptions,
} from './settle-candidates.js'

/** Recipients in one request. */
const RECIPIENTS_PER_REQUEST = 50
const LONGEST_WINDOW_SECONDS = 86_400
const SHORTEST_WINDOW_SECONDS = 60
/** The period that a run that is not thorough scans again. */
const RECENT_OVERLAP_SECONDS = 30
/** The period to scan for orders without a creation time. */
const UNDATED_SECONDS = 7 * 86_400
/** A trace that fails costs up to seven requests in a row until it is alone. */
const INDEX_FAILURES_IN_ROW = 10
const STORE_FAILURES_IN_ROW = 2

/** The memory of a watcher, kept from run to run. */
export interface WatchMemory {
  /** Transactions whose payments were submitted. */
  seen: Set<string>
  /** Transactions that were processed since the last thorough scan began, with or without a payment. */
  looked: Set<string>
  /** Verified jetton wallets. */
  jettonWallets: JettonWallets
  openOrders: OpenOrderList
  /** The newest block of the last scan, Unix seconds. Only thorough scans move the cursor. */
  scannedTo: number
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

/** The progress of a scan. */
export interface WatchProgress {
  /** The chain has been scanned up to this time, Unix seconds. */
  scannedTo: number
  /** The period of the scan. */
  from: number
  to: number
}

/**
 * Retries what could not be explained before, scans what recipients received since the last run, and then looks up some
 * orders individually. The progress is saved after each window.
 * @returns when the next transaction is due to be retried.
 * @throws what API v3, the gateway and the stores throw, and the signal's reason.
 */
export async function runOnce<O extends Order>(
  options: ResolvedWatcherOptions<O>,
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
  const settling = settlingOf(options, { memory, tally, request, retries, isThorough })
  const { maxOrderAgeMs, overlapMs } = options
  const scanning = { ...progress, head, maxOrderAgeMs, overlapMs, onProgress }
  if (isThorough) await beginPeriod(options, scanning, openOrders.index)
  try {
    await settleRetries(settling)
    if (isThorough) {
      await scan(settling, scanning)
      await lookUpNext(options, settling, progress)
    } else {
      await scanRecent(settling, scanning, memory.scannedTo)
    }
    memory.scannedTo = head
  } finally {
    tally.unsettled = retries.size
    if (retries.takeChange()) await saveRetries(options, progress)
  }
  const failure = settling.storeFailures.first()
  if (failure !== undefined) throw failure.error
  return retries.nextAtMs()
}

function settlingOf<O extends Order>(
  { payments, v3, logger, ...rules }: ResolvedWatcherOptions<O>,
  {
    memory: { openOrders, seen, looked, jettonWallets },
    ...run
  }: Pick<SettleCandidatesOptions, 'tally' | 'request' | 'retries' | 'isThorough'> & {
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
    looked,
    jettonWallets,
    orders,
    wallets: new Set([...(wallets ?? []), ...orders.recipients]),
    named: createNamedOrders({ ...rules, wallets, repository, listed: orders }),
    indexFailures: createFailureLimit(INDEX_FAILURES_IN_ROW),
    storeFailures: createFailureLimit(STORE_FAILURES_IN_ROW),
    decided: new Set(),
  }
}

/** The progress of the cursor while a run continues it. */
interface OpenProgress {
  readonly current: () => Progress
  readonly retries: RetryQueue
  /** Saves the changes and the retry queue. */
  readonly save: (changes: Progress) => Promise<void>
}

async function openProgress<O extends Order>(
  options: ResolvedWatcherOptions<O>,
): Promise<OpenProgress> {
  const { cursor, payments } = options
  let progress = await loadProgress(options)
  const retries = createRetryQueue(progress.retry ?? [], options)
  return {
    current: () => progress,
    retries,
    async save(changes) {
      progress = { ...progress, ...changes, name: payments.name, retry: retries.entries() }
      retries.takeChange()
      await cursor.save(JSON.stringify(progress))
    },
  }
}

/** Moves the cursor back to the oldest open order on the first run, and every `fullEveryMs`. */
async function beginPeriod<O extends Order>(
  { clock, fullEveryMs }: ResolvedWatcherOptions<O>,
  { current, save, head }: Scanning,
  orders: OpenOrders,
): Promise<void> {
  const { scannedTo, fullAtMs = 0 } = current()
  const nowMs = clock.nowMs()
  if (scannedTo !== undefined && nowMs - fullAtMs < fullEveryMs) return
  const first = Math.min(firstSecond(orders, head), scannedTo ?? Infinity)
  await save({ scannedTo: first, fullAtMs: nowMs })
}

/** @throws the first error of the gateway, after the progress was saved. */
async function lookUpNext<O extends Order>(
  options: ResolvedWatcherOptions<O>,
  settling: SettleCandidatesOptions,
  { current, save }: OpenProgress,
): Promise<void> {
  const { place, failure } = await lookUp({ ...options, ...settling }, current().lookedUp)
  await save({ lookedUp: place })
  if (failure !== undefined) throw failure
}

/** Never rejects: a run that ends with an error keeps that error. */
async function saveRetries<O extends Order>(
  { logger }: ResolvedWatcherOptions<O>,
  { save }: OpenProgress,
): Promise<void> {
  try {
    await save({})
  } catch (error) {
    logger.warn('watcher cursor not saved', { error: errorFacts(error) })
  }
}

/** Ignores the progress of another Payments. */
async function loadProgress<O extends Order>({
  payments: { name },
  cursor,
  logger,
}: ResolvedWatcherOptions<O>): Promise<Progress> {
  const progress = readProgress(await cursor.load())
  if (progress.name === undefined || progress.name === name) return progress
  logger.error('cursor belongs to another Payments and is ignored; use one cursor for each', {
    payments: name,
    other: progress.name,
  })
  return {}
}

/** Returns when the oldest order began to wait for its payment, Unix seconds. */
function firstSecond({ all, oldestMs }: OpenOrders, head: number): number {
  const isUndated = all.some(({ createdMs }) => createdMs === undefined)
  const oldest = oldestMs === undefined ? head : Math.floor(oldestMs / 1000)
  return isUndated ? Math.min(oldest, head - UNDATED_SECONDS) : oldest
}

interface Scanning extends OpenProgress {
  /** The newest block of the index, Unix seconds. */
  head: number
  maxOrderAgeMs: number
  overlapMs: number
  onProgress: RunState['onProgress']
}

/** Scans window by window, oldest first. After a run that ended within a window, the next window is shorter. */
async function scan(settling: SettleCandidatesOptions, scanning: Scanning): Promise<void> {
  const { head, maxOrderAgeMs, overlapMs, current, save } = scanning
  const { scannedTo = head, windowSeconds = LONGEST_WINDOW_SECONDS } = current()
  let seconds = windowSeconds
  const oldest = head - Math.ceil(maxOrderAgeMs / 1000)
  const first = Math.max(scannedTo - Math.ceil(overlapMs / 1000), oldest)
  let from = first
  while (from <= head && settling.wallets.size > 0) {
    const to = Math.min(from + seconds, head)
    // In case the run ends within the window.
    await save({ windowSeconds: Math.max(SHORTEST_WINDOW_SECONDS, Math.floor(seconds / 2)) })
    await scanWindow(settling, scanning, { from, to, first })
    seconds = Math.min(LONGEST_WINDOW_SECONDS, seconds * 2)
    // The overlap does not move the cursor back.
    await save({ scannedTo: Math.max(to, scannedTo), windowSeconds: seconds })
    from = to + 1
  }
}

/** Scans what was received since the last scan. */
async function scanRecent(
  settling: SettleCandidatesOptions,
  scanning: Scanning,
  scannedTo: number,
): Promise<void> {
  const { head: to, maxOrderAgeMs } = scanning
  const from = Math.max(scannedTo - RECENT_OVERLAP_SECONDS, to - Math.ceil(maxOrderAgeMs / 1000))
  if (from <= to) await scanWindow(settling, scanning, { from, to, first: from })
}

async function scanWindow(
  settling: SettleCandidatesOptions,
  { head, retries, save, onProgress }: Scanning,
  { from, to, first }: { from: number; to: number; first: number },
): Promise<void> {
  // An order may have been stored after its payment was processed.
  if (settling.isThorough) settling.looked.clear()
  for (const recipients of inChunks([...settling.wallets], RECIPIENTS_PER_REQUEST)) {
    const part = { recipients, from, to }
    for (const scanList of [scanCoins, scanJettons]) {
      for await (const { candidates, upTo } of scanList(settling.v3, part, settling)) {
        await settleCandidates(settling, candidates)
        if (retries.takeChange()) await save({})
        onProgress({ scannedTo: upTo, from: first, to: head })
      }
    }
  }
}
