import { findBroken, printBroken } from '@tonplug/test-support/interleavings/shorten'
import type { OpenStores } from '@tonplug/test-support/interleavings/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import type { Queryable } from '../src/queryable.js'
import { followClock } from './database-clock.js'
import { openPGlite, type TestDatabase } from './databases.js'

/** `INTERLEAVINGS=100` searches. */
const SEEDS = Number(process.env['INTERLEAVINGS'] ?? 0)

let database: TestDatabase
let db: Queryable
let clock = { nowMs: () => 0 }

beforeAll(async () => {
  database = await openPGlite()
  db = await followClock(database.db, { nowMs: () => clock.nowMs() })
})
afterAll(() => database.close())

/** Orders share the database with the ledger. They cannot be cancelled. */
const open: OpenStores = async (given) => {
  clock = given
  await database.clear()
  const orders = postgresOrderRepository(db)
  return {
    orders,
    inbox: postgresInbox(db),
    insert: ({ reference, merchant, rawAmount, asset, createdAt, bodyBase64Hash }) =>
      orders.create({
        reference,
        merchant,
        rawAmount,
        asset,
        createdAt: createdAt ?? undefined,
        bodyBase64Hash: bodyBase64Hash ?? undefined,
        data: {},
      }),
  }
}

// On demand, as the search in memory: `packages/testing/test/interleavings`.
it.skipIf(SEEDS === 0)(
  'S124 breaks no promise of the ledger on PGlite, for fresh seeds; skipped without INTERLEAVINGS, their number',
  async () => {
    const given = process.env['INTERLEAVING_SEED']
    const first = given === undefined ? Math.floor(Math.random() * 1e9) : Number(given)
    console.info(`INTERLEAVING_SEED=${first}`)
    for (let seed = first; seed < first + SEEDS; seed++) {
      const broken = await findBroken(seed, { open })
      expect.soft(broken && printBroken(broken)).toBeUndefined()
    }
  },
  3_600_000,
)
