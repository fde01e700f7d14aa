import { setTimeout } from 'node:timers/promises'
import type { QueuedTask } from '@tonplug/core'
import { describeTaskQueue, type TaskQueueHarness } from '@tonplug/testing'
import { PgBoss } from 'pg-boss'
import { describe, it } from 'vitest'
import { pgBossQueue } from '../src/pg-boss-queue.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres } from './databases.js'

describe.skipIf(!hasPostgres)(`pgBossQueue on ${NEEDS_POSTGRES}`, () => {
  describeTaskQueue('pg-boss', makeHarness, { describe, it })
})

async function makeHarness(): Promise<TaskQueueHarness> {
  const database = await openPostgres(2)
  const bosses: PgBoss[] = []
  const startBoss = async (): Promise<PgBoss> => {
    const boss = new PgBoss({ connectionString: database.url, max: 3, schedule: false })
    await boss.start()
    bosses.push(boss)
    return boss
  }
  const observer = await startBoss()
  return {
    open: async () => pgBossQueue(await startBoss()),
    nowMs: () => Date.now(),
    passTime: (ms) => setTimeout(ms),
    listDeadLetters: () => listFailed(observer),
    close: async () => {
      await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })))
      await database.close()
    },
  }
}

/** Returns the idempotency keys of the failed jobs in every queue. */
async function listFailed(boss: PgBoss): Promise<string[]> {
  const keys: string[] = []
  for (const { name } of await boss.getQueues()) {
    for (const { state, data } of await boss.findJobs<QueuedTask>(name)) {
      if (state === 'failed') keys.push(data.idempotencyKey)
    }
  }
  return keys
}
