import { expect } from 'vitest'
import { audit } from './audit.js'
import type { Keeper } from './fault.js'
import { runFaults, type FaultRunOptions } from './fault-run.js'
import type { Framework } from './server-process.js'
import type { Place } from './tally.js'

const { CRASH_KILLS = '40', CRASH_SEED } = process.env
/** The size of a run. At 40, the default, shops with the same statements meet every place of `instants` between them. */
const KILLS = Number(CRASH_KILLS)
const SEED = Number(CRASH_SEED ?? Date.now() % 1_000_000)
/** For a machine under load, on which a fault can take many seconds. */
export const TIMEOUT_MS = 600_000 + KILLS * 15_000
export const TITLE = `with CRASH_SEED=${SEED}`

/** A server, with the faults that it suffers. */
export interface Shop {
  framework: Framework
  keeper: Keeper
  /** The number of faults at a size of 40. */
  times: number
  /** The number of places that shops with the same statements meet before. */
  first: number
}

type Counts = Readonly<Record<Place, number>>

/** Matches numbers that are not zero. */
export const aboveZero: unknown = expect.toSatisfy((count: number) => count > 0, 'is above zero')

/** Lets a shop suffer faults. @returns how often they struck at each instant */
export async function keepsPromises(
  database: FaultRunOptions['database'],
  { times: timesOf40, ...shop }: Shop,
  fault: FaultRunOptions['fault'],
): Promise<Counts> {
  const times = Math.ceil((timesOf40 * KILLS) / 40)
  const startMs = performance.now()
  const run = await runFaults({ ...shop, fault, times, seed: SEED, database })
  const seconds = (performance.now() - startMs) / 1000
  const problems = await audit(database.db, run)
  const counts = run.tally.counts()
  const met = Object.entries(counts).map(([place, count]) => `${count} ${place}`)
  console.info(
    `${shop.framework}, orders with ${shop.keeper}: ${run.purchases.length} purchases, ${times} × ${fault.kind}, ${(times / seconds).toFixed(1)} per second; met ${met.join(', ')}`,
  )
  expect(problems).toEqual([])
  return counts
}
