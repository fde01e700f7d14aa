import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskWorker } from '@tonplug/core'
import { Queue } from 'bullmq'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bullmqQueue, type BullmqQueue } from '../src/bullmq-queue.js'
import { END_MS } from '../src/end-connections.js'
import { openGate, type Gate } from './gate.js'
import { deferred } from '@tonplug/test-support/deferred'
import { freePort } from '@tonplug/test-support/free-port'
import { openQueue, RETRY, taskOf, testPrefix, workerOf } from './queues.js'
import { hasRedis, NEEDS_REDIS } from '@tonplug/test-support/redis'
import { redisConnection } from './redis.js'

const REJECTED = { code: 'ERR_TONPLUG_REPOSITORY', retryable: true }

describe.skipIf(!hasRedis)(`bullmqQueue during an outage of ${NEEDS_REDIS}`, () => {
  it.each<[string, (gate: Gate) => void]>([
    ['refuses connections', (gate) => gate.close()],
    ['does not respond', (gate) => gate.hold()],
  ])('S88 rejects add when Redis %s, and stores the jobs later', async (_title, fail) => {
    const prefix = testPrefix()
    const { gate, queue } = await openGatedQueue(prefix)
    await queue.add([taskOf('order-1')], RETRY)
    fail(gate)
    const tasks = [taskOf('order-2'), taskOf('order-3')]
    await expect(queue.add(tasks, RETRY)).rejects.toMatchObject(REJECTED)
    // Adds the task again, as the relay does.
    await expect(queue.add(tasks, RETRY)).rejects.toMatchObject(REJECTED)
    await queue.close()
    const { runs } = await runAll(prefix, tasks)
    await expect.poll(() => runs.toSorted()).toEqual(['order-1', 'order-2', 'order-3'])
  })

  it('resumes when Redis responds again', async () => {
    const prefix = testPrefix()
    const { gate, queue } = await openGatedQueue(prefix)
    const runs: string[] = []
    await queue.work(
      workerOf({ run: ({ reference }) => Promise.resolve(void runs.push(reference)) }),
    )
    await queue.add([taskOf('order-1')], RETRY)
    await expect.poll(() => runs).toEqual(['order-1'])
    gate.hold()
    await expect(queue.add([taskOf('order-2')], RETRY)).rejects.toMatchObject(REJECTED)
    gate.release()
    await expect
      .poll(() =>
        queue.add([taskOf('order-2')], RETRY).then(
          () => 'added',
          () => 'rejected',
        ),
      )
      .toBe('added')
    await expect.poll(() => runs).toEqual(['order-1', 'order-2'])
  })

  it('passes errors of the connection to onError', async () => {
    const queue = openQueue({ connection: { url: `redis://127.0.0.1:${await freePort()}` } })
    const errors: unknown[] = []
    await queue.work(workerOf({ onError: (error) => errors.push(error) }))
    await expect
      .poll(() => errors)
      .toContainEqual(expect.objectContaining({ code: 'ECONNREFUSED' }))
  })

  it.each<[string, (gate: Gate) => void]>([
    ['refuses connections', (gate) => gate.close()],
    ['does not respond', (gate) => gate.hold()],
  ])('stops after the last run when Redis %s, and runs the job elsewhere', async (_title, fail) => {
    const prefix = testPrefix()
    const { gate, queue } = await openGatedQueue(prefix)
    const started = deferred()
    const release = deferred()
    const run: TaskWorker['run'] = async () => {
      started.resolve()
      await release.promise
    }
    const work = await queue.work(workerOf({ run }))
    await queue.add([taskOf('order-1')], RETRY)
    await started.promise
    fail(gate)
    let isStopped = false
    const stopped = work.stop().then(() => {
      isStopped = true
    })
    // Longer than the time limit for BullMQ to close its connections.
    await sleep(2 * END_MS)
    expect(isStopped).toBe(false)
    release.resolve()
    await stopped
    await queue.close()
    const { attempts } = await runAll(prefix, [])
    await expect.poll(() => attempts).toEqual([2])
  })

  it('counts a run that ended with its process as an attempt', async () => {
    const prefix = testPrefix()
    const { gate, queue } = await openGatedQueue(prefix)
    const retry = { ...RETRY, maxAttempts: 2 }
    const started = deferred()
    const release = deferred()
    onTestFinished(() => release.resolve())
    const run: TaskWorker['run'] = async () => {
      started.resolve()
      await release.promise
    }
    await queue.work(workerOf({ retry, run }))
    await queue.add([taskOf('order-1')], retry)
    await started.promise
    gate.close()
    const attempts: number[] = []
    await openQueue({ prefix }).work(
      workerOf({
        retry,
        run: (_task, { attempt }) => {
          attempts.push(attempt)
          return Promise.reject(new Error('no carrier'))
        },
      }),
    )
    const stored = new Queue('tonplug-onPaid@default', { connection: redisConnection, prefix })
    onTestFinished(() => stored.close())
    await expect
      .poll(() => stored.getFailed())
      .toMatchObject([{ attemptsMade: 1, stalledCounter: 1, failedReason: 'no carrier' }])
    expect(attempts).toEqual([2])
  })

  it('aborts the signal of a run whose lock cannot be renewed', async () => {
    const prefix = testPrefix()
    const { gate, queue } = await openGatedQueue(prefix)
    const started = deferred()
    const aborted = deferred()
    const run: TaskWorker['run'] = async (_task, { signal }) => {
      signal?.addEventListener('abort', () => aborted.resolve())
      started.resolve()
      await aborted.promise
    }
    await queue.work(workerOf({ run }))
    await queue.add([taskOf('order-1')], RETRY)
    await started.promise
    gate.hold()
    await aborted.promise
    const { attempts } = await runAll(prefix, [])
    await expect.poll(() => attempts).toEqual([2])
  })
})

async function openGatedQueue(prefix: string): Promise<{ gate: Gate; queue: BullmqQueue }> {
  const gate = await openGate(redisConnection.url)
  onTestFinished(() => gate.close())
  const queue = bullmqQueue({ connection: { url: gate.url }, prefix })
  onTestFinished(() => queue.close())
  return { gate, queue }
}

/** Adds the tasks, and runs all jobs with the prefix, as another process would. */
async function runAll(
  prefix: string,
  tasks: Parameters<BullmqQueue['add']>[0],
): Promise<{ runs: string[]; attempts: number[] }> {
  const queue = openQueue({ prefix })
  const runs: string[] = []
  const attempts: number[] = []
  await queue.add(tasks, RETRY)
  await queue.work(
    workerOf({
      run: ({ reference }, { attempt }) => {
        runs.push(reference)
        attempts.push(attempt)
        return Promise.resolve()
      },
    }),
  )
  return { runs, attempts }
}
