import { z } from 'zod'

/** Stores the progress of a watcher, so that a restart does not scan everything again, and decides which server scans. */
export interface WatcherCursor {
  load(): Promise<string | null | undefined>
  /**
   * Stores any string. Stores nothing while another server holds the lease, or when it has acquired the lease that this
   * server held.
   */
  save(text: string): Promise<void>
  /**
   * Acquires or renews the lease of this server, so that one server at a time scans. The holder renews it every three seconds.
   * @param leaseMs the lease expires after this time, by the clock of the store
   * @returns false when another server holds it.
   */
  acquire(leaseMs: number): Promise<boolean>
  /** Ends this server's lease, so that another server can scan at once. Does nothing when another server holds it. */
  release(): Promise<void>
}

const optionalNumber = z.number().optional().catch(undefined)
/** An order's place in the sequence of individual look-ups: `createdMs`, `reference` and `merchant`. */
const lookUpPlace = z.tuple([z.number(), z.string(), z.string()])
/** A transaction to retry: `txHash`, `utime`, `attempts` and `nextAtMs`. */
const retryEntry = z.tuple([z.string(), z.number(), z.number(), z.number()])

/** The progress of a watcher. What is invalid is ignored, so the next run scans everything. */
const progress = z
  .object({
    /** The name of the Payments that it belongs to. */
    name: z.string().optional().catch(undefined),
    /** The chain has been scanned up to this time, Unix seconds. */
    scannedTo: optionalNumber,
    /** The length of one scan window, seconds; shorter after a run ended within a window. */
    windowSeconds: optionalNumber,
    /** When the last scan since the oldest open order began. */
    fullAtMs: optionalNumber,
    /** The order that was looked up individually last. */
    lookedUp: lookUpPlace.optional().catch(undefined),
    /** Transactions that could not be explained yet; invalid entries are left out. */
    retry: z
      .array(retryEntry.nullable().catch(null))
      .catch([])
      .transform((entries) => entries.filter((entry) => entry !== null)),
  })
  .partial()
  .catch({})

export type Progress = z.output<typeof progress>
export type LookUpPlace = z.output<typeof lookUpPlace>
export type RetryEntry = z.output<typeof retryEntry>

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

/** Returns the stored progress. */
export function readProgress(text: string | null | undefined): Progress {
  try {
    return progress.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
