import { createManualClock, type ManualClock } from '@tonplug/testing'
import type { Follow } from '../../src/v3/follow/follow.js'
import type { RowFollowOptions } from '../../src/v3/follow/row-follow.js'
import type { V3Client } from '../../src/v3/client.js'
import type { TimedListName } from '../../src/v3/paging/lists.js'
import type { IndexOptions, IndexServer } from './index-server.js'
import { idOf, serve } from './walks.js'

export const POLL_MS = 5000
export const OVERLAP = 60

/** A follow that runs in the background. */
export interface Running {
  /** What was delivered so far. */
  ids: number[]
  /** Resolves when it rests between two polls. */
  rest(): Promise<void>
  /** Moves the clock to the next poll and waits until it rests again. */
  poll(): Promise<void>
  /** Rejects with what ended it. */
  ended: Promise<void>
}

/** An index, a client of it, and the clock that both of a test move. */
export async function serveFollow(
  index: IndexOptions,
): Promise<{ server: IndexServer; v3: V3Client; clock: ManualClock }> {
  const clock = createManualClock()
  const served = await serve(index, { clock, retry: { maxAttempts: 1 } })
  return { ...served, clock }
}

/** Runs a follow until it ends. @param onId called with each id; what it throws leaves the loop */
export function run(
  follow: Follow<object>,
  clock: ManualClock,
  onId: (id: number) => void = () => undefined,
): Running {
  const ids: number[] = []
  const ended = (async () => {
    for await (const row of follow) {
      const id = idOf(row)
      ids.push(id)
      onId(id)
    }
  })()
  // Whoever waits for the end gets it; until then nobody does.
  ended.catch(() => undefined)
  const rest = async (): Promise<void> => clock.waitForTimer(({ delayMs }) => delayMs === POLL_MS)
  const poll = async (): Promise<void> => {
    await rest()
    await clock.advance(POLL_MS)
    await rest()
  }
  return { ids, rest, poll, ended }
}

/** Starts a follow, whatever the endpoint. */
export function follow(
  v3: V3Client,
  name: TimedListName,
  params: object = {},
  options: RowFollowOptions = {},
) {
  // Each endpoint has its own parameters and rows; these tests look at ids only.
  const start = v3[name].follow as unknown as (
    params: object,
    options: RowFollowOptions,
  ) => ReturnType<V3Client['transactions']['follow']>
  return start(params, { pollMs: POLL_MS, ...options })
}

/** Random numbers from 0 to below 1, the same for one seed. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
