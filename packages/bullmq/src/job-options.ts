import type { TaskWorker } from '@tonplug/core'
import { Job, type BackoffStrategy, type JobsOptions } from 'bullmq'

/** Returns the options of each job. */
export function jobOptions(retry: TaskWorker['retry'], keepCompletedMs: number): JobsOptions {
  return {
    attempts: retry.maxAttempts,
    // BullMQ's own exponential backoff has no upper limit.
    backoff: { type: 'capped', delay: retry.minDelayMs },
    removeOnComplete: { age: Math.ceil(keepCompletedMs / 1000) },
    removeOnFail: false,
  }
}

/** Doubles the delay after each failure, up to `maxDelayMs`. A run that ended with its process counts as an attempt. */
export function cappedBackoff({ minDelayMs, maxDelayMs }: TaskWorker['retry']): BackoffStrategy {
  return (failures, _type, _error, job) => {
    const runs = failures + (job instanceof Job ? job.stalledCounter : 0)
    if (runs >= (job?.opts.attempts ?? 1)) return DEAD
    return Math.min(maxDelayMs, minDelayMs * 2 ** (runs - 1))
  }
}

/** Returned to BullMQ instead of a delay, to stop retries. */
const DEAD = -1
