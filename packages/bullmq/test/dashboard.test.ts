import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { ExpressAdapter } from '@bull-board/express'
import type { QueuedTask } from '@tonplug/core'
import { Queue } from 'bullmq'
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openQueue, RETRY, taskOf, testPrefix, workerOf } from './queues.js'
import { hasRedis, NEEDS_REDIS } from '@tonplug/test-support/redis'
import { redisConnection } from './redis.js'

const NAME = 'tonplug-onPaid.ship@default'

describe.skipIf(!hasRedis)(`bull-board on ${NEEDS_REDIS}`, () => {
  it('shows the task of a job, and replays a dead letter', async () => {
    const prefix = testPrefix()
    const queue = openQueue({ prefix })
    const task = taskOf('order/17', { handler: 'onPaid.ship' })
    const attempts: number[] = []
    const run = (_task: QueuedTask, { attempt }: { attempt: number }): Promise<void> => {
      attempts.push(attempt)
      return attempt > 1 ? Promise.resolve() : Promise.reject(new Error('no carrier'))
    }
    const retry = { ...RETRY, maxAttempts: 1 }
    await queue.work(workerOf({ handlers: ['onPaid.ship'], retry, run }))
    await queue.add([task], retry)
    const api = await openDashboard(prefix)

    await expect
      .poll(() => listJobs(api))
      .toMatchObject([{ name: 'onPaid.ship', data: task, failedReason: 'no carrier', attempts: 1 }])
    const [job] = await listJobs(api)
    const path = [NAME, job?.id ?? '', 'retry'].map(encodeURIComponent).join('/')
    const response = await fetch(`${api}/${path}`, { method: 'PUT' })
    expect(response.status).toBe(204)
    await expect.poll(() => attempts).toEqual([1, 2])
    await expect.poll(() => listJobs(api)).toEqual([])
  })
})

/** @returns the URL of the queues in the API of the dashboard. */
async function openDashboard(prefix: string): Promise<string> {
  const queue = new Queue(NAME, { connection: redisConnection, prefix })
  const serverAdapter = new ExpressAdapter()
  createBullBoard({ queues: [new BullMQAdapter(queue)], serverAdapter })
  const server = express().use(serverAdapter.getRouter()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.close()
    await queue.close()
  })
  // A server that listens on TCP has a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/queues`
}

interface ShownJob {
  id: string
  data: QueuedTask
}

async function listJobs(api: string): Promise<ShownJob[]> {
  const query = new URLSearchParams({ activeQueue: NAME, status: 'failed', page: '1' })
  const response = await fetch(`${api}?${query}`)
  const { queues } = (await response.json()) as { queues: { jobs: ShownJob[] }[] }
  return queues.flatMap(({ jobs }) => jobs)
}
