import type { QueuedTask, TaskWorker } from '@tonplug/core'
import { onTestFinished } from 'vitest'
import { bullmqQueue, type BullmqQueue, type BullmqQueueOptions } from '../src/bullmq-queue.js'
import { emptyRedis, newPrefix, redisConnection } from './redis.js'

export const RETRY: TaskWorker['retry'] = { maxAttempts: 3, minDelayMs: 20, maxDelayMs: 40 }

/** Returns a task of `onPaid` of the Payments `default`, with a key for each reference. */
export function taskOf(reference: string, changes: Partial<QueuedTask> = {}): QueuedTask {
  const task = { name: 'default', merchant: '', handler: 'onPaid', reference, ...changes }
  const txHash = 'a'.repeat(64)
  const key = [task.name, task.merchant, task.handler, task.reference, txHash]
  return { txHash, reportId: '1', idempotencyKey: JSON.stringify(key), ...task }
}

/** Returns a worker of `onPaid` of the Payments `default`. */
export function workerOf(changes: Partial<TaskWorker>): TaskWorker {
  return {
    name: 'default',
    handlers: ['onPaid'],
    concurrency: 8,
    retry: RETRY,
    run: () => Promise.resolve(),
    onError: () => undefined,
    ...changes,
  }
}

/** Returns a prefix whose keys are deleted after the test. */
export function testPrefix(): string {
  const prefix = newPrefix()
  onTestFinished(() => emptyRedis(prefix))
  return prefix
}

/** Opens a queue on the test's Redis; closed after the test. */
export function openQueue(options: Partial<BullmqQueueOptions> = {}): BullmqQueue {
  const queue = bullmqQueue({ connection: redisConnection, ...options })
  onTestFinished(() => queue.close())
  return queue
}
