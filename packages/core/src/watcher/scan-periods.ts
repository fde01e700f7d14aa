import { inChunks } from './in-chunks.js'
import type { OpenProgress } from './open-progress.js'
import { scanCoins, scanJettons } from './scan.js'
import { settleCandidates, type SettleCandidatesOptions } from './settle-candidates.js'

/** Recipients in one request. */
const RECIPIENTS_PER_REQUEST = 50
const LONGEST_WINDOW_SECONDS = 86_400
const SHORTEST_WINDOW_SECONDS = 60
/** The period that a run that is not thorough scans again. */
const RECENT_OVERLAP_SECONDS = 30

/** A period of the chain, both ends included, Unix seconds. */
interface Period {
  from: number
  to: number
}

/** The progress of a scan. */
export interface WatchProgress {
  /** The chain has been scanned up to this time, Unix seconds. */
  scannedTo: number
  /** The period of the scan. */
  from: number
  to: number
}

/** The scans' part of a watcher's memory. */
export interface ScanMemory {
  /** The newest block of the last scan, Unix seconds. Only thorough scans move the cursor. */
  scannedTo: number
  /** The remaining period of a thorough scan whose run has ended early. */
  unfinished: Period | undefined
}

/** Dependencies of the scans of a run. */
export interface Scanning extends OpenProgress {
  memory: ScanMemory
  /** The newest block of the index, Unix seconds. */
  head: number
  maxOrderAgeMs: number
  overlapMs: number
  onProgress: (progress: WatchProgress) => void
}

/**
 * Scans the overlap and what was received since, window by window, oldest first. A scan that does not fit into a run is
 * continued by the next one, which scans what is new before.
 */
export async function scanThoroughly(
  settling: SettleCandidatesOptions,
  scanning: Scanning,
): Promise<void> {
  const { memory, head, maxOrderAgeMs, overlapMs, current, save } = scanning
  const { scannedTo = head, windowSeconds = LONGEST_WINDOW_SECONDS } = current()
  const overlap = Math.ceil(overlapMs / 1000)
  const unfinished = unfinishedSince(scannedTo, memory)
  if (unfinished !== undefined) await scanNew(settling, scanning, unfinished)
  // A continued scan ends at the block at which it began, so the overlap of the next one has no gap.
  const { from: first, to: last } = unfinished ?? { from: scannedTo - overlap, to: head }
  let seconds = windowSeconds
  let from = Math.max(first, head - Math.ceil(maxOrderAgeMs / 1000))
  while (from <= last && settling.wallets.size > 0) {
    const to = Math.min(from + seconds, last)
    // An order may have been stored after its payment was processed. In a window that is continued, traces are kept.
    if (from !== unfinished?.from) settling.looked.clear()
    memory.unfinished = { from, to: last }
    // In case the run ends within the window.
    await save({ windowSeconds: Math.max(SHORTEST_WINDOW_SECONDS, Math.floor((to - from) / 2)) })
    await scanWindow(settling, scanning, { from, to, first })
    seconds = Math.min(LONGEST_WINDOW_SECONDS, seconds * 2)
    // The overlap does not move the cursor back.
    await save({ scannedTo: Math.max(to, scannedTo), windowSeconds: seconds })
    from = to + 1
  }
  memory.unfinished = undefined
  memory.scannedTo = Math.max(memory.scannedTo, last)
}

/** Returns the remaining period of the last scan, unless another server has scanned further. */
function unfinishedSince(scannedTo: number, { unfinished }: ScanMemory): Period | undefined {
  return unfinished !== undefined && unfinished.to >= scannedTo ? unfinished : undefined
}

/** Scans what was received since a scan began that is continued, so that new payments do not wait for its end. */
async function scanNew(
  settling: SettleCandidatesOptions,
  scanning: Scanning,
  { to }: Period,
): Promise<void> {
  const { memory, head, overlapMs } = scanning
  const since = Math.max(memory.scannedTo, to)
  // After a long outage it would not fit into a run.
  if ((head - since) * 1000 <= overlapMs) await scanRecent(settling, scanning, since)
}

/** Scans what was received since the last scan. */
export async function scanRecent(
  settling: SettleCandidatesOptions,
  scanning: Scanning,
  since = scanning.memory.scannedTo,
): Promise<void> {
  const { memory, head: to, maxOrderAgeMs } = scanning
  const from = Math.max(since - RECENT_OVERLAP_SECONDS, to - Math.ceil(maxOrderAgeMs / 1000))
  if (from <= to) await scanWindow(settling, scanning, { from, to, first: from })
  memory.scannedTo = to
}

async function scanWindow(
  settling: SettleCandidatesOptions,
  { head, retries, save, onProgress }: Scanning,
  { from, to, first }: Period & { first: number },
): Promise<void> {
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
