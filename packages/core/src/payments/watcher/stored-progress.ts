import { z } from 'zod'
import { errorFacts } from '../../shared/error-facts.js'
import { LeaseLost } from '../../toncenter/follow/lease.js'
import { RetryQueue } from '../../toncenter/follow/retry-queue.js'
import type { ResolvedWatcherOptions } from './options.js'
import { lazy } from '../../shared/lazy.js'

/** The progress that the cursor stores. What is invalid is ignored, so the next run scans everything. */
const progress = lazy(() =>
  z
    .object({
      /** The name of the Payments that it belongs to. */
      name: z.string().optional().catch(undefined),
      /** The chain has been scanned up to this time, Unix seconds. */
      scannedTo: z.number().optional().catch(undefined),
      /** When the last scan since the oldest open order began. */
      fullAtMs: z.number().optional().catch(undefined),
      /** The order that was looked up individually last: `createdMs`, `reference` and `merchant`. */
      lookedUp: z.tuple([z.number(), z.string(), z.string()]).optional().catch(undefined),
      /**
       * Transactions that could not be explained yet: `txHash`, `utime`, `attempts` and `nextAtMs`. Invalid entries are left
       * out.
       */
      retry: z
        .array(z.tuple([z.string(), z.number(), z.number(), z.number()]).nullable().catch(null))
        .catch([])
        .transform((entries) => entries.filter((entry) => entry !== null)),
    })
    .partial()
    .catch({}),
)

export type Progress = z.output<ReturnType<typeof progress>>
/** An order's place in the sequence of individual look-ups. */
export type LookUpPlace = NonNullable<Progress['lookedUp']>

/** The progress of the cursor while a run continues it. */
export class StoredProgress {
  readonly retries: RetryQueue
  readonly #options: ResolvedWatcherOptions
  readonly #signal: AbortSignal | undefined
  #current: Progress
  /** The string that the run has saved last. */
  #saved: string | undefined

  /** @param signal of the run */
  constructor(options: ResolvedWatcherOptions, current: Progress, signal?: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#current = current
    this.retries = new RetryQueue(current.retry ?? [], options)
  }

  get current(): Progress {
    return this.#current
  }

  /** Saves the changes and the retry queue, unless the run has just saved the same, or has lost the lease. */
  async save(changes: Progress): Promise<void> {
    const { cursor, payments } = this.#options
    const retry = this.retries.entries()
    this.#current = { ...this.#current, ...changes, name: payments.name, retry }
    this.retries.hasChanged = false
    if (this.#signal?.reason instanceof LeaseLost) return
    const text = JSON.stringify(this.#current)
    if (text === this.#saved) return
    await cursor.save(text)
    this.#saved = text
  }

  /** Saves the retry queue if it has changed. Never rejects: a run that ends with an error keeps that error. */
  async saveRetries(): Promise<void> {
    try {
      if (this.retries.hasChanged) await this.save({})
    } catch (error) {
      this.#options.logger.warn('watcher cursor not saved', { error: errorFacts(error) })
    }
  }
}

/** Loads the progress of the cursor. That of another Payments is ignored. */
export async function loadProgress(
  options: ResolvedWatcherOptions,
  signal?: AbortSignal,
): Promise<StoredProgress> {
  const { payments, cursor, logger } = options
  const stored = readProgress(await cursor.load())
  if (stored.name === undefined || stored.name === payments.name) {
    return new StoredProgress(options, stored, signal)
  }
  logger.error('cursor belongs to another Payments and is ignored; use one cursor for each', {
    payments: payments.name,
    other: stored.name,
  })
  return new StoredProgress(options, {}, signal)
}

/** Returns the stored progress. */
export function readProgress(text: string | null | undefined): Progress {
  try {
    return progress().parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
