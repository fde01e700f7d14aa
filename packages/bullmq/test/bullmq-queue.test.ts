import type { QueuedTask } from '@tonplug/core'
import { Queue } from 'bullmq'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jobId, queueName } from '../src/job-names.js'
import { deferred } from '@tonplug/test-support/deferred'
import { openQueue, RETRY, taskOf, testPrefix, workerOf } from './queues.js'
import { hasRedis, NEEDS_REDIS } from '@tonplug/test-support/redis'
import { redisConnection } from './redis.js'

describe.skipIf(!hasRedis)(`bullmqQueue on ${NEEDS_REDIS}`, () => {
  it('S88 stores one job per idempotency key, whichever process adds it first', async () => {
    const prefix = testPrefix()
    const relays = [openQueue({ prefix }), openQueue({ prefix })]
    const tasks = Array.from({ length: 50 }, (_, index) => taskOf(`order-${index}`))
    await Promise.all(relays.map((relay) => relay.add(tasks, RETRY)))
    const jobs = await inspect(prefix).getJobs(['waiting'])
    expect(jobs.map(({ data }) => data.reference).toSorted()).toEqual(
      tasks.map(({ reference }) => reference).toSorted(),
    )
  })

  it('S88 does not run a task again that was added again after it had completed', async () => {
    const prefix = testPrefix()
    const queue = openQueue({ prefix })
    const runs: string[] = []
    const run = ({ reference }: QueuedTask): Promise<void> => {
      runs.push(reference)
      return Promise.resolve()
    }
    await queue.work(workerOf({ run }))
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => inspect(prefix).getCompletedCount()).toBe(1)
    // A relay that was killed before it marked the task adds it again.
    await queue.add([taskOf('order-1'), taskOf('order-2')], RETRY)
    await expect.poll(() => inspect(prefix).getCompletedCount()).toBe(2)
    expect(runs).toEqual(['order-1', 'order-2'])
  })

  it('stores the task in a queue of its handler, under a readable id', async () => {
    const prefix = testPrefix()
    const task = taskOf('order/1:a', { handler: 'onPaid.ship' })
    await openQueue({ prefix }).add([task], RETRY)
    const queue = inspect(prefix, 'tonplug-onPaid.ship@default')
    const id = `task-["default","","onPaid.ship","order%2F1%3Aa","${task.txHash}"]`
    expect(await queue.getJob(id)).toMatchObject({ name: 'onPaid.ship', data: task })
  })

  it('limits the concurrency of each handler separately', async () => {
    const prefix = testPrefix()
    const queue = openQueue({ prefix })
    const running: string[] = []
    const release = deferred()
    const run = async ({ handler }: QueuedTask): Promise<void> => {
      running.push(handler)
      await release.promise
    }
    await queue.work(workerOf({ handlers: ['onPaid.ship', 'onPaid.mail'], concurrency: 2, run }))
    const tasks = ['onPaid.ship', 'onPaid.mail'].flatMap((handler) =>
      ['1', '2', '3'].map((reference) => taskOf(reference, { handler })),
    )
    await queue.add(tasks, RETRY)
    await expect
      .poll(() => running.toSorted())
      .toEqual(['onPaid.mail', 'onPaid.mail', 'onPaid.ship', 'onPaid.ship'])
    release.resolve()
    await expect.poll(() => running).toHaveLength(6)
  })

  it('stores a failed job with its error after all attempts', async () => {
    const prefix = testPrefix()
    const queue = openQueue({ prefix })
    const attempts: number[] = []
    const run = (_task: QueuedTask, { attempt }: { attempt: number }): Promise<void> => {
      attempts.push(attempt)
      return Promise.reject(new Error('the warehouse is closed'))
    }
    await queue.work(workerOf({ run }))
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => inspect(prefix).getFailedCount()).toBe(1)
    expect(attempts).toEqual([1, 2, 3])
    const [job] = await inspect(prefix).getFailed()
    expect(job).toMatchObject({ failedReason: 'the warehouse is closed', attemptsMade: 3 })
    // Replayed from a dashboard, it runs once more.
    await job?.retry('failed')
    await expect.poll(() => attempts).toEqual([1, 2, 3, 4])
  })

  it('keeps completed jobs for 7 days by default', async () => {
    const prefix = testPrefix()
    await openQueue({ prefix }).add([taskOf('order-1')], RETRY)
    await openQueue({ prefix, keepCompletedMs: 60_000 }).add([taskOf('order-2')], RETRY)
    const jobs = await inspect(prefix).getJobs(['waiting'], 0, -1, true)
    expect(jobs.map(({ opts }) => opts.removeOnComplete)).toEqual([{ age: 604_800 }, { age: 60 }])
    expect(jobs.map(({ opts }) => opts.removeOnFail)).toEqual([false, false])
  })

  it('doubles the delay after each failure, up to its maximum', async () => {
    const prefix = testPrefix()
    const queue = openQueue({ prefix })
    const retry = { maxAttempts: 9, minDelayMs: 60_000, maxDelayMs: 150_000 }
    await queue.work(workerOf({ retry, run: () => Promise.reject(new Error('no carrier')) }))
    await queue.add([taskOf('order-1')], retry)
    for (const [index, delay] of [60_000, 120_000, 150_000, 150_000].entries()) {
      const delayed = { attemptsMade: index + 1, delay }
      await expect.poll(() => inspect(prefix).getDelayed()).toMatchObject([delayed])
      const [job] = await inspect(prefix).getDelayed()
      await job?.promote()
    }
  })

  it('resolves stop when no run of the process is left', async () => {
    const prefix = testPrefix()
    const queue = openQueue({ prefix })
    const started = deferred()
    const release = deferred()
    const run = async (): Promise<void> => {
      started.resolve()
      await release.promise
    }
    const work = await queue.work(workerOf({ run }))
    await queue.add([taskOf('order-1')], RETRY)
    await started.promise
    let isStopped = false
    const stopped = work.stop().then(() => {
      isStopped = true
    })
    // The worker may take this job before it has stopped.
    await queue.add([taskOf('order-2')], RETRY)
    expect(isStopped).toBe(false)
    release.resolve()
    await stopped
    const { active, completed, waiting } = await inspect(prefix).getJobCounts()
    expect({ active, stored: (completed ?? 0) + (waiting ?? 0) }).toEqual({ active: 0, stored: 2 })
  })

  it('releases a run that fails while the worker is stopped, without an attempt', async () => {
    const prefix = testPrefix()
    const queue = openQueue({ prefix })
    const started = deferred()
    const aborted = deferred()
    const run = async (): Promise<void> => {
      started.resolve()
      await aborted.promise
      throw new Error('Payments was closed')
    }
    const work = await queue.work(workerOf({ run }))
    await queue.add([taskOf('order-1')], RETRY)
    await started.promise
    const stopped = work.stop()
    aborted.resolve()
    await stopped
    const [job] = await inspect(prefix).getWaiting()
    expect(job).toMatchObject({ attemptsMade: 0, data: taskOf('order-1') })
  })
})

describe('names in Redis', () => {
  it.each([
    [
      { name: 'a@b', handler: 'c' },
      { name: 'b', handler: 'c@a' },
    ],
    [
      { name: 'a%40', handler: 'b' },
      { name: 'a@', handler: 'b' },
    ],
    [
      { name: 'a:b', handler: 'c' },
      { name: 'a%3Ab', handler: 'c' },
    ],
    [
      { name: 'a', handler: 'b:c' },
      { name: 'a', handler: 'b%3Ac' },
    ],
  ])('differ between the queues of %o and %o', (one, other) => {
    expect(queueName(one)).not.toBe(queueName(other))
    expect(queueName(one)).not.toContain(':')
  })

  it.each([
    ['1:2', '1%3A2'],
    ['%', '%25'],
    ['a/b', 'a%2Fb'],
  ])('differ between the jobs %s and %s', (one, other) => {
    expect(jobId({ idempotencyKey: one })).not.toBe(jobId({ idempotencyKey: other }))
    expect(jobId({ idempotencyKey: one })).not.toContain(':')
  })
})

function inspect(prefix: string, name = 'tonplug-onPaid@default'): Queue<QueuedTask> {
  const queue = new Queue<QueuedTask>(name, { connection: redisConnection, prefix })
  onTestFinished(() => queue.close())
  return queue
}
