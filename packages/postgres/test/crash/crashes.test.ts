import { describe, expect, it } from 'vitest'
import { hasPostgres, NEEDS_POSTGRES } from '@tonplug/test-support/postgres'
import { openPostgres } from '../databases.js'
import { audit } from './audit.js'
import type { Keeper } from './fault.js'
import { runFaults, type FaultRunOptions } from './fault-run.js'
import { canMakeCluster, NEEDS_CLUSTER, openCluster } from './own-cluster.js'
import type { Framework } from './server-process.js'
import type { Place } from './tally.js'

const { CRASH_KILLS = '40', CRASH_SEED } = process.env
/** For each framework, over both stores of its orders. */
const KILLS = Number(CRASH_KILLS)
const SEED = Number(CRASH_SEED ?? Date.now() % 1_000_000)
const CUTS = KILLS
const RESTARTS = Math.ceil(KILLS / 8)
const TIMEOUT_MS = 60_000 + KILLS * 5000

const SHOPS: [Framework, Keeper][] = [
  ['express', 'tonplug'],
  ['express', 'shop-apart'],
  ['nest', 'tonplug'],
  ['nest', 'shop-in-transaction'],
]

describe(`crash safety with CRASH_SEED=${SEED}`, () => {
  describe.skipIf(!hasPostgres)(`on ${NEEDS_POSTGRES}`, () => {
    it.each(SHOPS)(
      '%s, orders with %s: keeps every promise while its process is killed repeatedly',
      async (framework, keeper) => {
        const fault = { kind: 'kill' } as const
        const times = Math.ceil(KILLS / 2)
        const counts = await keepsPromises({ framework, keeper, fault, times })
        // The faults have struck at these instants.
        expect(counts).toMatchObject({
          'before the store': aboveZero,
          'between store and decision': aboveZero,
          'between decision and answer': aboveZero,
          'a handler': aboveZero,
          'between a handler and its record': aboveZero,
          ...(keeper === 'shop-apart' && { 'between completion and decision': aboveZero }),
        })
      },
      TIMEOUT_MS,
    )

    it.each(SHOPS)(
      '%s, orders with %s: keeps every promise while its connections are cut',
      async (framework, keeper) => {
        const fault = { kind: 'cut' } as const
        const counts = await keepsPromises({ framework, keeper, fault, times: CUTS })
        expect(counts).toMatchObject({ 'between store and decision': aboveZero })
      },
      TIMEOUT_MS,
    )
  })

  describe.skipIf(!canMakeCluster)(`on ${NEEDS_CLUSTER}`, () => {
    it.each(SHOPS)(
      '%s, orders with %s: keeps every promise while PostgreSQL restarts',
      async (framework, keeper) => {
        const cluster = await openCluster()
        try {
          const fault = { kind: 'restart', restart: () => cluster.restart() } as const
          const options = { framework, keeper, fault, times: RESTARTS }
          const counts = await keepsPromisesOn(cluster, options)
          expect(Object.values(counts)).toContainEqual(aboveZero)
        } finally {
          await cluster.close()
        }
      },
      TIMEOUT_MS,
    )
  })
})

type Options = Pick<FaultRunOptions, 'framework' | 'keeper' | 'fault' | 'times'>

/** Matches numbers that are not zero. */
const aboveZero: unknown = expect.toSatisfy((count: number) => count > 0, 'is above zero')

async function keepsPromises(options: Options): Promise<Readonly<Record<Place, number>>> {
  const database = await openPostgres(4)
  try {
    // PostgreSQL keeps running, so unsynced data is not lost.
    await database.db.query(`DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database());
    END $$`)
    return await keepsPromisesOn(database, options)
  } finally {
    await database.close()
  }
}

async function keepsPromisesOn(
  database: FaultRunOptions['database'],
  options: Options,
): Promise<Readonly<Record<Place, number>>> {
  const startMs = performance.now()
  const run = await runFaults({ ...options, seed: SEED, database })
  const seconds = (performance.now() - startMs) / 1000
  const problems = await audit(database.db, run)
  const { framework, keeper, fault, times } = options
  const counts = run.tally.counts()
  const met = Object.entries(counts).map(([place, count]) => `${count} ${place}`)
  console.info(
    `${framework}, orders with ${keeper}: ${run.purchases.length} purchases, ${times} × ${fault.kind}, ${(times / seconds).toFixed(1)} per second; met ${met.join(', ')}`,
  )
  expect(problems).toEqual([])
  return counts
}
