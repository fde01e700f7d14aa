import { errorFacts } from '../shared/error-facts.js'
import { readProgress, type Progress } from './cursor.js'
import type { ResolvedWatcherOptions } from './options.js'
import { RetryQueue } from './retry-queue.js'

/** The progress of the cursor while a run continues it. */
export interface OpenProgress {
  readonly current: () => Progress
  readonly retries: RetryQueue
  /** Saves the changes and the retry queue. */
  readonly save: (changes: Progress) => Promise<void>
}

/** Loads the progress of the cursor. */
export async function openProgress(options: ResolvedWatcherOptions): Promise<OpenProgress> {
  const { cursor, payments } = options
  let progress = await loadProgress(options)
  const retries = new RetryQueue(progress.retry ?? [], options)
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

/** Never rejects: a run that ends with an error keeps that error. */
export async function saveRetries(
  { logger }: ResolvedWatcherOptions,
  { save }: OpenProgress,
): Promise<void> {
  try {
    await save({})
  } catch (error) {
    logger.warn('watcher cursor not saved', { error: errorFacts(error) })
  }
}

/** Ignores the progress of another Payments. */
async function loadProgress({
  payments: { name },
  cursor,
  logger,
}: ResolvedWatcherOptions): Promise<Progress> {
  const progress = readProgress(await cursor.load())
  if (progress.name === undefined || progress.name === name) return progress
  logger.error('cursor belongs to another Payments and is ignored; use one cursor for each', {
    payments: name,
    other: progress.name,
  })
  return {}
}
