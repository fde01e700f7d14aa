import { setTimeout } from 'node:timers/promises'
import { describeTaskQueue, type TaskQueueHarness } from '@tonplug/testing'
import { Queue } from 'bullmq'
import { Redis } from 'ioredis'
import { describe, it } from 'vitest'
import { bullmqQueue, type BullmqQueue } from '../src/bullmq-queue.js'
import { hasRedis, NEEDS_REDIS } from '@tonplug/test-support/redis'
import { emptyRedis, newPrefix, redisConnection } from './redis.js'

// The tests mostly wait, each for keys of its own.
describe.skipIf(!hasRedis)(`bullmqQueue on ${NEEDS_REDIS}`, () => {
  describeTaskQueue('BullMQ', makeHarness, { describe, it: it.concurrent })
})

function makeHarness(): TaskQueueHarness {
  const prefix = newPrefix()
  const queues: BullmqQueue[] = []
  return {
    open: async () => {
      const queue = bullmqQueue({ connection: redisConnection, prefix })
      queues.push(queue)
      return queue
    },
    nowMs: () => Date.now(),
    passTime: (ms) => setTimeout(ms),
    listDeadLetters: () => listFailed(prefix),
    close: async () => {
      await Promise.all(queues.map((queue) => queue.close()))
      await emptyRedis(prefix)
    },
  }
}

/** Returns the idempotency keys of the failed jobs in every queue with the prefix. */
async function listFailed(prefix: string): Promise<string[]> {
  const keys: string[] = []
  for (const name of await listQueues(prefix)) {
    const queue = new Queue<{ idempotencyKey: string }>(name, {
      connection: redisConnection,
      prefix,
    })
    for (const { data } of await queue.getFailed()) keys.push(data.idempotencyKey)
    await queue.close()
  }
  return keys
}

async function listQueues(prefix: string): Promise<string[]> {
  const redis = new Redis(redisConnection.url)
  try {
    const keys = await redis.keys(`${prefix}:*:meta`)
    return keys.map((key) => key.slice(prefix.length + 1, -':meta'.length))
  } finally {
    redis.disconnect()
  }
}
