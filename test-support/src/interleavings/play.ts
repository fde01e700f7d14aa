import { hashAtOnce } from '../../../packages/testing/src/shop/direct-hash.js'
import { checkPromises } from './promises.js'
import { planSteps, type Plan } from './steps.js'
import { openMemory, World, type OpenStores } from './world.js'

/** Time without new steps. */
const SETTLE_MS = 300_000
/** A webhook without a credit waits for an hour, and is looked at again within the next one. */
const LONGEST_MS = 7_500_000
/** Handlers have run by then. */
const HANDLERS_MS = 60_000

export interface PlayOptions {
  /** @default the plan of the seed */
  plan?: Plan | undefined
  /** @default stores in memory */
  open?: OpenStores | undefined
}

export interface Played {
  problems: readonly string[]
  trace: readonly string[]
}

/** Plays the steps of a seed, or others with its timing. */
export async function play(
  seed: number,
  { plan = planSteps(seed), open = openMemory }: PlayOptions = {},
): Promise<Played> {
  const endHashing = hashAtOnce()
  try {
    const world = await World.open({ seed, plan }, open)
    for (const step of plan.steps) await world.perform(step)
    await world.scheduler.advance(SETTLE_MS)
    const { parked } = await world.stores.inbox.stats()
    if (parked > 0) await world.scheduler.advance(LONGEST_MS)
    // A webhook may have been decided at this moment.
    const { open: running } = await world.stores.inbox.stats()
    if (running > 0) await world.scheduler.advance(HANDLERS_MS)
    const problems = await world.settled(checkPromises(world))
    world.end()
    return { problems, trace: world.scheduler.lines }
  } finally {
    endHashing()
  }
}
