import { isObject } from '../shared/is-object.js'
import type { RetryEntry } from './retry-queue.js'

/** Stores the progress of a watcher, so that a restart does not scan everything again, and decides which server scans. */
export interface WatcherCursor {
  load(): Promise<string | null | undefined>
  /** Stores any string. */
  save(text: string): Promise<void>
  /**
   * Acquires or renews the lease of this server, so that one server at a time scans.
   * @returns false when another server holds it.
   */
  acquire(leaseMs: number): Promise<boolean>
  /** Ends this server's lease, so that another server can scan at once. Does nothing when another server holds it. */
  release(): Promise<void>
}

/** The progress of a watcher. */
export interface Progress {
  /** The name of the Payments that it belongs to. */
  name?: string | undefined
  /** The chain has been scanned up to this time, Unix seconds. */
  scannedTo?: number | undefined
  /** The length of one scan window, seconds; shorter after a run ended within a window. */
  windowSeconds?: number | undefined
  /** When the last scan since the oldest open order began. */
  fullAtMs?: number | undefined
  /** The order that was looked up individually last. */
  lookedUp?: LookUpPlace | undefined
  /** Transactions that could not be explained yet. */
  retry?: readonly RetryEntry[] | undefined
}

/** An order's place in the sequence of individual look-ups. */
export type LookUpPlace = readonly [createdMs: number, reference: string, merchant: string]

/** Creates a cursor for one process. It is lost when the process ends. */
export function memoryCursor(): WatcherCursor {
  let text: string | undefined
  return {
    load: async () => text,
    save: async (given) => {
      text = given
    },
    acquire: async () => true,
    release: async () => undefined,
  }
}

/** Returns the stored progress. What is invalid is ignored, so the next run scans everything. */
export function readProgress(text: string | null | undefined): Progress {
  let read: unknown
  try {
    read = JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
  if (!isObject(read)) return {}
  const { name, scannedTo, windowSeconds, fullAtMs, lookedUp, retry } = read
  return {
    name: typeof name === 'string' ? name : undefined,
    scannedTo: numberOf(scannedTo),
    windowSeconds: numberOf(windowSeconds),
    fullAtMs: numberOf(fullAtMs),
    lookedUp: placeOf(lookedUp),
    retry: Array.isArray(retry) ? retry.flatMap((entry: unknown) => retryEntryOf(entry)) : [],
  }
}

function placeOf(value: unknown): LookUpPlace | undefined {
  const [createdMs, reference, merchant]: unknown[] = Array.isArray(value) ? value : []
  const isPlace =
    typeof createdMs === 'number' && typeof reference === 'string' && typeof merchant === 'string'
  return isPlace ? [createdMs, reference, merchant] : undefined
}

function retryEntryOf(value: unknown): RetryEntry[] {
  const [txHash, ...numbers]: unknown[] = Array.isArray(value) ? value : []
  const [utime, attempts, nextAtMs] = numbers.map(numberOf)
  const isEntry =
    typeof txHash === 'string' &&
    utime !== undefined &&
    attempts !== undefined &&
    nextAtMs !== undefined
  return isEntry ? [[txHash, utime, attempts, nextAtMs]] : []
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
