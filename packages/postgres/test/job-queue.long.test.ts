import { describeJobQueue } from '@tonplug/testing'
import { fromPglite } from 'pg-boss'
import { afterAll, beforeAll, describe, it, vi } from 'vitest'
import { createBosses, type BossDatabase, type Bosses } from './bosses.js'
import { createPGlite, hasPostgres, NEEDS_POSTGRES, openPostgres } from './databases.js'

// pg-boss makes its tables first, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
  describeBosses('PostgreSQL', async () => {
    const database = await openPostgres(1)
    const options = { connectionString: database.url, max: 3 }
    return { options, close: () => database.close() }
  })
})
describeBosses('PGlite', async () => {
  const pglite = await createPGlite()
  const options = { db: fromPglite(pglite), backend: 'pglite' } as const
  return { options, close: () => pglite.close() }
})

function describeBosses(name: string, openDatabase: () => Promise<BossDatabase>): void {
  describe(`jobs on ${name}`, () => {
    let bosses: Bosses
    beforeAll(async () => {
      bosses = createBosses(await openDatabase())
    })
    afterAll(() => bosses.close())
    describeJobQueue(`pg-boss on ${name}`, () => bosses.makeHarness(), { describe, it })
  })
}
