import type { QueuedTask } from '@tonplug/core'
import { describeTaskQueue } from '@tonplug/testing'
import { fromPglite, PgBoss, TestClock, type ConstructorOptions } from 'pg-boss'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { pgBossQueue } from '../src/pg-boss-queue.js'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { createPGlite, openPostgres } from './databases.js'

interface BossDatabase {
  options: ConstructorOptions
  close: () => Promise<void>
}

describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeBoss('PostgreSQL', async () => {
    const database = await openPostgres(1)
    const options = { connectionString: database.url, max: 3 }
    return { options, close: () => database.close() }
  })
})
describeBoss('PGlite', async () => {
  const pglite = await createPGlite()
  const options = { db: fromPglite(pglite), backend: 'pglite' } as const
  return { options, close: () => pglite.close() }
})

function describeBoss(name: string, openDatabase: () => Promise<BossDatabase>): void {
  describe(`jobs on ${name}`, () => {
    const clock = new TestClock(Date.UTC(2026, 0, 5, 12))
    let database: BossDatabase
    beforeAll(async () => {
      database = await openDatabase()
    })
    afterAll(() => database.close())
    describeTaskQueue(
      `pg-boss on ${name}`,
      () => {
        const bosses: PgBoss[] = []
        return {
          async open() {
            const boss = new PgBoss({ ...database.options, clock, schedule: false })
            bosses.push(boss)
            await boss.start()
            return pgBossQueue(boss)
          },
          nowMs: () => clock.now(),
          passTime: (ms) => clock.tick(ms),
          listDeadLetters: () => listDeadLetters(bosses[0]),
          async close() {
            await bosses[0]?.deleteAllJobs()
            await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })))
          },
        }
      },
      { describe, it },
    )
  })
}

/** Returns the idempotency keys of the failed jobs of all queues. */
async function listDeadLetters(boss: PgBoss | undefined): Promise<string[]> {
  if (boss === undefined) return []
  const queues = await boss.getQueues()
  const jobs = await Promise.all(queues.map(({ name }) => boss.findJobs<QueuedTask>(name)))
  return jobs
    .flat()
    .filter(({ state }) => state === 'failed')
    .map(({ data }) => data.idempotencyKey)
}
