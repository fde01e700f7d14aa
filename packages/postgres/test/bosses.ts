import type { JobQueueHarness } from '@tonplug/testing'
import { PgBoss, TestClock, type ConstructorOptions } from 'pg-boss'
import { pgBossJobQueue } from '../src/pg-boss-job-queue.js'

/** A database, as pg-boss is told of it. */
export interface BossDatabase {
  options: ConstructorOptions
  close: () => Promise<void>
}

/** Any number of pg-boss on one database, at a time that stands still until a test moves it. */
export interface Bosses {
  /** Without jobs, for one test. */
  makeHarness: () => JobQueueHarness
  close: () => Promise<void>
}

export function createBosses(database: BossDatabase): Bosses {
  const clock = new TestClock(Date.UTC(2026, 0, 5, 12))
  return {
    makeHarness() {
      const bosses: PgBoss[] = []
      return {
        async open() {
          const boss = new PgBoss({ ...database.options, clock, schedule: false })
          bosses.push(boss)
          await boss.start()
          return pgBossJobQueue(boss)
        },
        nowMs: () => clock.now(),
        passTime: (ms) => clock.tick(ms),
        async lose() {
          await bosses[0]?.deleteAllJobs()
        },
        async close() {
          await bosses[0]?.deleteAllJobs()
          await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })))
        },
      }
    },
    close: database.close,
  }
}
