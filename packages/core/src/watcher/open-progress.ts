import { errorFacts } from '../shared/error-facts.js'
import { readProgress, type Progress } from './cursor.js'
import { LeaseLost } from './lease.js'
import type { ResolvedWatcherOptions } from './options.js'
import { RetryQueue } from './retry-queue.js'

/** The progress of the cursor while a run continues it. */
export class OpenProgress {
  readonly retries: RetryQueue
  readonly #options: ResolvedWatcherOptions
  readonly #signal: AbortSignal | undefined
  #current: Progress

  /** @param signal of the run */
  constructor(options: ResolvedWatcherOptions, progress: Progress, signal?: AbortSignal) {
    this.#options = options
    this.#signal = signal
    this.#current = progress
    this.retries = new RetryQueue(progress.retry ?? [], options)
  }

  get current(): Progress {
    return this.#current
  }

  /** Saves the changes and the retry queue, unless the run has lost the lease. */
  async save(changes: Progress): Promise<void> {
    const { cursor, payments } = this.#options
    const retry = this.retries.entries()
    this.#current = { ...this.#current, ...changes, name: payments.name, retry }
    this.retries.hasChanged = false
    if (this.#signal?.reason instanceof LeaseLost) return
    await cursor.save(JSON.stringify(this.#current))
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
export async function openProgress(
  options: ResolvedWatcherOptions,
  signal?: AbortSignal,
): Promise<OpenProgress> {
  const { payments, cursor, logger } = options
  const progress = readProgress(await cursor.load())
  if (progress.name === undefined || progress.name === payments.name) {
    return new OpenProgress(options, progress, signal)
  }
  logger.error('cursor belongs to another Payments and is ignored; use one cursor for each', {
    payments: payments.name,
    other: progress.name,
  })
  return new OpenProgress(options, {}, signal)
}
