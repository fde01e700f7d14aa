import { attempt } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import { errorFacts } from '../runtime/error-facts.js'
import { createClosedOrders } from './closed-orders.js'
import { readProgress, type Progress } from './cursor.js'
import { lookUp } from './look-up.js'
import {
  indexOrders,
  timeOf,
  watchOrder,
  type OpenOrders,
  type WatchedOrder,
} from './open-orders.js'
import type { ResolvedReconcilerOptions } from './options.js'
import type { Tally } from './report.js'
import { scanCoins, scanJettons } from './scan.js'
import { settleCandidates, type SettleCandidatesOptions } from './settle-candidates.js'

/** Recipients in one request. */
const RECIPIENTS_AT_ONCE = 50
const LONGEST_WINDOW_SECONDS = 86_400
const SHORTEST_WINDOW_SECONDS = 60
/** How far back orders are looked for that do not say when they were created. */
const UNDATED_SECONDS = 7 * 86_400

/** What a run works with, besides the options. */
export interface RunState {
  tally: Tally
  signal: AbortSignal
  /** Transactions that need no second look; kept from run to run. */
  seen: Set<string>
  onProgress: (progress: ReconcileProgress) => void
}

/** How far a run has come. */
export interface ReconcileProgress {
  /** What recipients got has been gone through up to here, Unix seconds. */
  scannedTo: number
  /** Since when, and until when. */
  from: number
  to: number
}

/**
 * Goes through what recipients got since the last run, and then looks up some orders one by one. How far it has come is
 * saved each time that everything up to there is decided.
 * @throws what API v3, the gateway and the stores throw, and the signal's reason.
 */
export async function runOnce<O extends Order>(
  options: ResolvedReconcilerOptions<O>,
  { tally, signal, seen, onProgress }: RunState,
): Promise<void> {
  const { receiver, v3, cursor, logger, clock } = options
  const request = { priority: 'low', signal } as const
  // Ahead of the orders: what the index shows up to here is complete.
  const { gen_utime: head } = (await v3.masterchainInfo({}, request)).last
  const orders = await readOpenOrders(options, tally)
  const watching = { ...options, recipients: receiver.recipients }
  const closed = createClosedOrders(options.orders, watching)
  const [looked, decided] = [new Set<string>(), new Set<string>()]
  const facts = { receiver, v3, orders, closed, tally, logger, request, head }
  const settling = { ...facts, seen, looked, decided }
  let progress = await loadProgress(options)
  const save = async (changes: Progress): Promise<void> => {
    progress = { ...progress, ...changes }
    await cursor.save(JSON.stringify(progress))
  }
  const nowMs = clock.nowMs()
  if (progress.scannedTo === undefined || nowMs - (progress.fullAtMs ?? 0) >= options.fullEveryMs) {
    const first = Math.min(firstSecond(orders, head), progress.scannedTo ?? Infinity)
    await save({ scannedTo: first, fullAtMs: nowMs })
  }
  await scan(options, settling, { progress: () => progress, save, onProgress })
  const { place, failure } = await lookUp({ ...options, ...settling }, progress.lookedUp)
  await save({ lookedUp: place })
  if (failure !== undefined) throw failure
}

/** What another receiver has gone through says nothing of this one's payments. */
async function loadProgress<O extends Order>({
  receiver: { name: receiver },
  cursor,
  logger,
}: ResolvedReconcilerOptions<O>): Promise<Progress> {
  const progress = readProgress(await cursor.load())
  if (progress.receiver === undefined || progress.receiver === receiver) {
    return { ...progress, receiver }
  }
  logger.error(
    'the cursor is that of another receiver, so everything is gone through; give each a cursor of its own',
    { receiver, other: progress.receiver },
  )
  return { receiver }
}

/** Since when the oldest order waits for its payment. */
function firstSecond({ all, oldestMs }: OpenOrders, head: number): number {
  const isUndated = all.some(({ createdMs }) => createdMs === undefined)
  const oldest = oldestMs === undefined ? head : Math.floor(oldestMs / 1000)
  return isUndated ? Math.min(oldest, head - UNDATED_SECONDS) : oldest
}

async function readOpenOrders<O extends Order>(
  options: ResolvedReconcilerOptions<O>,
  tally: Tally,
): Promise<OpenOrders> {
  const { orders, receiver, minAgeMs, clock, logger } = options
  const watching = { ...options, recipients: receiver.recipients }
  const watched: WatchedOrder[] = []
  await attempt('orders.listOpen', async () => {
    const createdBefore = new Date(clock.nowMs() - minAgeMs)
    for await (const order of orders.listOpen({ createdBefore })) {
      tally.openOrders++
      const createdMs = timeOf(order.createdAt)
      if (createdMs !== undefined) {
        tally.oldestOpenMs = Math.min(tally.oldestOpenMs ?? createdMs, createdMs)
      }
      try {
        const one = watchOrder(order, watching)
        if (one === undefined) tally.unwatched++
        else watched.push(one)
      } catch (error) {
        tally.unwatched++
        logger.error('an open order cannot be judged', { error: errorFacts(error) })
      }
    }
  })
  if (tally.unwatched > 0) {
    logger.warn(
      'no payment can be found for open orders of which nobody says who is paid; give recipients to the receiver, or a recipient to each order',
      { orders: tally.unwatched },
    )
  }
  return indexOrders(watched)
}

interface Saving {
  progress: () => Progress
  save: (changes: Progress) => Promise<void>
  onProgress: RunState['onProgress']
}

/** Window by window, the oldest first. A window that a run had no time for is a smaller one the next time. */
async function scan<O extends Order>(
  { receiver, overlapMs, minAgeMs }: ResolvedReconcilerOptions<O>,
  settling: SettleCandidatesOptions,
  { progress, save, onProgress }: Saving,
): Promise<void> {
  const { v3, orders, head } = settling
  const recipients = [...new Set([...(receiver.recipients ?? []), ...orders.recipients])]
  const overlap = Math.ceil((overlapMs + minAgeMs) / 1000)
  const { scannedTo = head, windowSeconds = LONGEST_WINDOW_SECONDS } = progress()
  let seconds = windowSeconds
  let holdAt = Infinity
  const first = scannedTo - overlap
  let from = first
  while (from <= head && recipients.length > 0) {
    const to = Math.min(from + seconds, head)
    // Should the run's time be over within it.
    await save({ windowSeconds: Math.max(SHORTEST_WINDOW_SECONDS, Math.floor(seconds / 2)) })
    for (let start = 0; start < recipients.length; start += RECIPIENTS_AT_ONCE) {
      const part = { recipients: recipients.slice(start, start + RECIPIENTS_AT_ONCE), from, to }
      for (const pages of [scanCoins(v3, part, settling), scanJettons(v3, part, settling)]) {
        for await (const { found, upTo } of pages) {
          holdAt = Math.min(holdAt, await settleCandidates(settling, found))
          onProgress({ scannedTo: upTo, from: first, to: head })
        }
      }
    }
    seconds = Math.min(LONGEST_WINDOW_SECONDS, seconds * 2)
    // The overlap is gone through again each time; what is held is not passed.
    await save({ scannedTo: Math.min(Math.max(to, scannedTo), holdAt), windowSeconds: seconds })
    from = to + 1
  }
}
