import { inChunks } from './in-chunks.js'
import type { OpenOrders } from './open-orders.js'
import type { Period, Run } from './run.js'
import { scanCoins, scanJettons } from './scan.js'
import { settleCandidates } from './settle-candidates.js'

/** Recipients in one request. */
const RECIPIENTS_PER_REQUEST = 50
const LONGEST_WINDOW_SECONDS = 86_400
const SHORTEST_WINDOW_SECONDS = 60
/** The period that a run that is not thorough scans again. */
const RECENT_OVERLAP_SECONDS = 30
/** The period to scan for orders without a creation time. */
const UNDATED_SECONDS = 7 * 86_400

/** Moves the cursor back to the oldest open order on the first run, and every `fullEveryMs`. */
export async function beginPeriod(run: Run): Promise<void> {
  const { clock, fullEveryMs, progress, head, memory, orders } = run
  const { scannedTo, fullAtMs = 0 } = progress.current
  const nowMs = clock.nowMs()
  if (scannedTo !== undefined && nowMs - fullAtMs < fullEveryMs) return
  const first = Math.min(firstSecond(orders, head), scannedTo ?? Infinity)
  await progress.save({ scannedTo: first, fullAtMs: nowMs })
  memory.unfinished = undefined
}

/** Returns when the oldest order began to wait for its payment, Unix seconds. */
function firstSecond({ all }: OpenOrders, head: number): number {
  const seconds = all.map(({ createdMs }) =>
    createdMs === undefined ? head - UNDATED_SECONDS : Math.floor(createdMs / 1000),
  )
  // The clock that dates orders may be ahead of the chain.
  return seconds.reduce((one, other) => Math.min(one, other), head)
}

/**
 * Scans the overlap and what was received since, window by window, oldest first. A scan that does not fit into a run is
 * continued by the next one, which scans what is new before.
 */
export async function scanThoroughly(run: Run): Promise<void> {
  const { memory, head, maxOrderAgeMs, overlapMs, progress, wallets } = run
  const { windowSeconds = LONGEST_WINDOW_SECONDS } = progress.current
  const scannedTo = Math.min(progress.current.scannedTo ?? head, head)
  const overlap = Math.ceil(overlapMs / 1000)
  // Another server may have scanned further.
  const unfinished =
    memory.unfinished && memory.unfinished.to >= scannedTo ? memory.unfinished : undefined
  if (unfinished !== undefined) await scanNew(run, unfinished)
  // A continued scan ends at the block at which it began, so the overlap of the next one has no gap.
  const { from: first, to: last } = unfinished ?? { from: scannedTo - overlap, to: head }
  let seconds = windowSeconds
  let from = Math.max(first, head - Math.ceil(maxOrderAgeMs / 1000))
  while (from <= last && wallets.size > 0) {
    const to = Math.min(from + seconds, last)
    // An order may have been stored after its payment was processed. In a window that is continued, traces are kept.
    if (from !== unfinished?.from) memory.looked.clear()
    memory.unfinished = { from, to: last }
    // In case the run ends within the window.
    const half = Math.max(SHORTEST_WINDOW_SECONDS, Math.floor((to - from) / 2))
    await progress.save({ windowSeconds: half })
    await scanWindow(run, { from, to }, first)
    seconds = Math.min(LONGEST_WINDOW_SECONDS, seconds * 2)
    // The overlap does not move the cursor back.
    await progress.save({ scannedTo: Math.max(to, scannedTo), windowSeconds: seconds })
    from = to + 1
  }
  memory.unfinished = undefined
  memory.scannedTo = Math.max(memory.scannedTo, last)
}

/** Scans what was received since a scan began that is continued, so that new payments do not wait for its end. */
async function scanNew(run: Run, { to }: Period): Promise<void> {
  const { memory, head, overlapMs } = run
  const since = Math.max(memory.scannedTo, to)
  // After a long outage it would not fit into a run.
  if ((head - since) * 1000 <= overlapMs) await scanRecent(run, since)
}

/** Scans what was received since the last scan. */
export async function scanRecent(run: Run, since = run.memory.scannedTo): Promise<void> {
  const { memory, head: to, maxOrderAgeMs } = run
  const from = Math.max(since - RECENT_OVERLAP_SECONDS, to - Math.ceil(maxOrderAgeMs / 1000))
  if (from <= to) await scanWindow(run, { from, to }, from)
  memory.scannedTo = to
}

/** @param first the first second of the scan, which may begin before the window */
async function scanWindow(run: Run, window: Period, first: number): Promise<void> {
  const { wallets, head, progress, onProgress } = run
  for (const recipients of inChunks([...wallets], RECIPIENTS_PER_REQUEST)) {
    for (const scanList of [scanCoins, scanJettons]) {
      for await (const { candidates, upTo } of scanList(run, { recipients, ...window })) {
        await settleCandidates(run, candidates)
        if (progress.retries.hasChanged) await progress.save({})
        onProgress({ scannedTo: upTo, from: first, to: head })
      }
    }
  }
}
