import { attempt } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { JettonWallets } from './proof/jetton-wallets.js'
import { timeOf } from './proof/order-age.js'
import { errorFacts } from '../shared/error-facts.js'
import { readProgress, type Progress } from './cursor.js'
import { createFailureLimit } from './failure-limit.js'
import { lookUp } from './look-up.js'
import { createNamedOrders } from './named-orders.js'
import { indexOrders, watchOrder, type OpenOrders, type WatchedOrder } from './open-orders.js'
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
/** The period to scan for orders without a creation time. */
const UNDATED_SECONDS = 7 * 86_400
/** A trace that fails costs up to seven requests in a row until it is alone. */
const INDEX_FAILURES_IN_ROW = 10
const STORE_FAILURES_IN_ROW = 2

/** The state of a run, besides the options. */
export interface RunState {
  tally: Tally
  signal: AbortSignal
  /** Transactions whose payments were submitted; kept across runs. */
  seen: Set<string>
  /** Verified jetton wallets; kept across runs. */
  jettonWallets: JettonWallets
  /** False in runs between the scheduled ones. */
  looksUpOrders: boolean
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
  { tally, signal, seen, jettonWallets, looksUpOrders, onProgress }: RunState,
): Promise<number | undefined> {
  const { payments, v3, cursor, logger, clock, minAgeMs } = options
  const request = { priority: 'low', signal } as const
  // Before the orders are read: up to here the index is complete for them.
  const { gen_utime: head } = (await v3.masterchainInfo({}, request)).last
  const orders = await readOpenOrders(options, tally)
  const { name, wallets, orders: repository } = payments
  const rules = { ...options, wallets }
  const createdBeforeMs = clock.nowMs() - minAgeMs
  let progress = await loadProgress(options)
  const retries = createRetryQueue(progress.retry ?? [], { clock, logger })
  const settling: SettleCandidatesOptions = {
    payments,
    v3,
    jettonWallets,
    orders,
    wallets: new Set([...(wallets ?? []), ...orders.recipients]),
    named: createNamedOrders({ ...rules, repository, listed: orders, createdBeforeMs }),
    retries,
    indexFailures: createFailureLimit(INDEX_FAILURES_IN_ROW),
    storeFailures: createFailureLimit(STORE_FAILURES_IN_ROW),
    tally,
    logger,
    request,
    seen,
    looked: new Set(),
    decided: new Set(),
  }
  const save = async (changes: Progress): Promise<void> => {
    progress = { ...progress, ...changes, name, retry: retries.entries() }
    retries.takeChange()
    await cursor.save(JSON.stringify(progress))
  }
  const nowMs = clock.nowMs()
  if (progress.scannedTo === undefined || nowMs - (progress.fullAtMs ?? 0) >= options.fullEveryMs) {
    const first = Math.min(firstSecond(orders, head), progress.scannedTo ?? Infinity)
    await save({ scannedTo: first, fullAtMs: nowMs })
  }
  try {
    await settleRetries(settling)
    await scan(options, settling, { head, progress: () => progress, save, retries, onProgress })
    if (looksUpOrders) {
      const { place, failure } = await lookUp({ ...options, ...settling }, progress.lookedUp)
      await save({ lookedUp: place })
      if (failure !== undefined) throw failure
    }
  } finally {
    tally.unsettled = retries.size
    if (retries.takeChange()) await saveRetries(options, save)
  }
  const failure = settling.storeFailures.first()
  if (failure !== undefined) throw failure.error
  return retries.nextAtMs()
}

/** Never rejects: a run that ends with an error keeps that error. */
async function saveRetries<O extends Order>(
  { logger }: ResolvedWatcherOptions<O>,
  save: (changes: Progress) => Promise<void>,
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

/** Reads at most `maxOpenOrders` open orders that are not older than `maxOrderAgeMs`. */
async function readOpenOrders<O extends Order>(
  options: ResolvedWatcherOptions<O>,
  tally: Tally,
): Promise<OpenOrders> {
  const { payments, minAgeMs, maxOrderAgeMs, maxOpenOrders: limit, clock, logger } = options
  const rules = { ...options, wallets: payments.wallets }
  const watched: WatchedOrder[] = []
  const nowMs = clock.nowMs()
  const oldestMs = Math.max(0, nowMs - maxOrderAgeMs)
  let count = 0
  await attempt('orders.listOpen', async () => {
    const query = { createdAfter: new Date(oldestMs), limit }
    for await (const order of payments.orders.listOpen(query)) {
      const createdMs = timeOf(order.createdAt)
      // A repository may ignore the query.
      if (createdMs !== undefined && createdMs < oldestMs) continue
      if (++count > limit) break
      if (createdMs !== undefined && createdMs > nowMs - minAgeMs) continue
      tally.openOrders++
      if (createdMs !== undefined) {
        tally.oldestOpenMs = Math.min(tally.oldestOpenMs ?? createdMs, createdMs)
      }
      try {
        const one = watchOrder(order, rules)
        if (one === undefined) tally.unwatched++
        else watched.push(one)
      } catch (error) {
        tally.unwatched++
        logger.error('open order not usable', { error: errorFacts(error) })
      }
    }
  })
  if (count >= limit) {
    logger.warn(
      'open orders reach maxOpenOrders; newer ones are only found by body hash and reference',
      { maxOpenOrders: limit },
    )
  }
  if (tally.unwatched > 0) {
    logger.warn(
      'open orders have no recipient wallet; set wallets on Payments, or a recipient on each order',
      { orders: tally.unwatched },
    )
  }
  return indexOrders(watched)
}

interface Scanning {
  /** The newest block of the index, Unix seconds. */
  head: number
  progress: () => Progress
  save: (changes: Progress) => Promise<void>
  retries: RetryQueue
  onProgress: RunState['onProgress']
}

/** Scans window by window, oldest first. After a run that ended within a window, the next window is shorter. */
async function scan<O extends Order>(
  { overlapMs, minAgeMs, maxOrderAgeMs }: ResolvedWatcherOptions<O>,
  settling: SettleCandidatesOptions,
  { head, progress, save, retries, onProgress }: Scanning,
): Promise<void> {
  const { v3, wallets, looked } = settling
  const recipients = [...wallets]
  const overlap = Math.ceil((overlapMs + minAgeMs) / 1000)
  const { scannedTo = head, windowSeconds = LONGEST_WINDOW_SECONDS } = progress()
  let seconds = windowSeconds
  const oldest = head - Math.ceil(maxOrderAgeMs / 1000)
  const first = Math.max(scannedTo - overlap, oldest)
  let from = first
  while (from <= head && recipients.length > 0) {
    const to = Math.min(from + seconds, head)
    // In case the run ends within the window.
    await save({ windowSeconds: Math.max(SHORTEST_WINDOW_SECONDS, Math.floor(seconds / 2)) })
    looked.clear()
    for (let start = 0; start < recipients.length; start += RECIPIENTS_PER_REQUEST) {
      const part = { recipients: recipients.slice(start, start + RECIPIENTS_PER_REQUEST), from, to }
      for (const pages of [scanCoins(v3, part, settling), scanJettons(v3, part, settling)]) {
        for await (const { candidates, upTo } of pages) {
          await settleCandidates(settling, candidates)
          if (retries.takeChange()) await save({})
          onProgress({ scannedTo: upTo, from: first, to: head })
        }
      }
    }
    seconds = Math.min(LONGEST_WINDOW_SECONDS, seconds * 2)
    // The overlap does not move the cursor back.
    await save({ scannedTo: Math.max(to, scannedTo), windowSeconds: seconds })
    from = to + 1
  }
}
