import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { bullmqQueue } from '@tonplug/bullmq'
import type { QueuedTask, TaskWorker } from '@tonplug/core'
import { Redis } from 'ioredis'

const { REDIS_URL } = process.env
const url = REDIS_URL ?? 'redis://127.0.0.1:6379'
void main()

async function main(): Promise<void> {
  if (!(await responds())) {
    assert.equal(REDIS_URL, undefined, 'no Redis responds at REDIS_URL')
    console.log('skipped: jobs on BullMQ, since no Redis responds; set REDIS_URL')
    return
  }
  const prefix = `tonplug-test-${randomUUID()}`
  const queue = bullmqQueue({ connection: { url }, prefix })
  assert.equal(queue.name, 'bullmq')
  const retry: TaskWorker['retry'] = { maxAttempts: 3, minDelayMs: 1000, maxDelayMs: 60_000 }
  const task: QueuedTask = {
    name: 'default',
    merchant: '',
    handler: 'onPaid',
    reference: 'order-1',
    txHash: 'a'.repeat(64),
    reportId: '1',
    idempotencyKey: 'key-1',
  }
  let resolve: (ran: QueuedTask) => void = () => undefined
  const ran = new Promise<QueuedTask>((fulfill) => {
    resolve = fulfill
  })
  const work = await queue.work({
    name: 'default',
    handlers: ['onPaid'],
    concurrency: 1,
    retry,
    run: async (received) => resolve(received),
    onError: () => undefined,
  })
  await queue.add([task], retry)
  assert.deepEqual(await ran, task)
  await work.stop()
  await queue.close()
  await empty(prefix)
}

async function responds(): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => undefined)
  const isConnected = await redis.connect().then(
    () => true,
    () => false,
  )
  redis.disconnect()
  return isConnected
}

async function empty(prefix: string): Promise<void> {
  const redis = new Redis(url)
  await redis.del(await redis.keys(`${prefix}:*`))
  redis.disconnect()
}
