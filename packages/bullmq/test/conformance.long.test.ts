import { setTimeout } from 'node:timers/promises'
import { describeJobQueue } from '@tonplug/testing'
import { describe, it, vi } from 'vitest'
import { bullmqJobQueue } from '../src/bullmq-job-queue.js'
import { emptyRedis, hasRedis, NEEDS_REDIS, newPrefix, redisConnection } from './redis.js'

// BullMQ cannot be given a clock, so these tests take their time.
vi.setConfig({ testTimeout: 60_000 })

describe.skipIf(!hasRedis)(`on ${NEEDS_REDIS}`, () => {
  describeJobQueue(
    'BullMQ',
    () => {
      const prefix = newPrefix()
      const opened: ReturnType<typeof bullmqJobQueue>[] = []
      return {
        open: () => {
          const jobs = bullmqJobQueue({ connection: redisConnection, prefix })
          opened.push(jobs)
          return Promise.resolve(jobs)
        },
        nowMs: () => Date.now(),
        passTime: (ms) => setTimeout(ms),
        lose: () => emptyRedis(prefix),
        async close() {
          await Promise.all(opened.map((jobs) => jobs.close()))
          await emptyRedis(prefix)
        },
      }
    },
    { describe, it },
  )
})
