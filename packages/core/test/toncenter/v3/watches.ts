import { createFakeClock, type FakeClock } from '@tonplug/testing'
import type { Watch } from '../../../src/toncenter/follow/watch.js'
import type { RowWatchOptions } from '../../../src/toncenter/follow/row-watch.js'
import type { V3Client } from '../../../src/toncenter/v3/client.js'
import type { TimedListName } from '../../../src/toncenter/v3/paging/timed-lists.js'
import type { IndexOptions, MockIndex } from './mock-index.js'
import { idOf, serve } from './pagination.js'

export const POLL_MS = 5000
export const OVERLAP = 60

/** A follow that runs in the background. */
export interface Running {
  /** The ids delivered so far. */
  ids: number[]
  /** Resolves when it rests between two polls. */
  rest(): Promise<void>
  /** Moves the clock to the next poll and waits until it rests again. */
  poll(): Promise<void>
  /** Rejects with what ended it. */
  ended: Promise<void>
}

/** An index, a client of it, and the clock that both of a test move. */
export async function serveWatch(
  index: IndexOptions,
): Promise<{ server: MockIndex; v3: V3Client; clock: FakeClock }> {
  const clock = createFakeClock()
  const served = await serve(index, { clock, retry: { maxAttempts: 1 } })
  return { ...served, clock }
}

/** Runs a follow until it ends. @param onId called with each id; what it throws leaves the loop */
export function run(
  follow: Watch<object>,
  clock: FakeClock,
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
  // The caller awaits it later.
  ended.catch(() => undefined)
  const rest = async (): Promise<void> => clock.waitForTimer(({ delayMs }) => delayMs === POLL_MS)
  const poll = async (): Promise<void> => {
    await rest()
    await clock.advance(POLL_MS)
    await rest()
  }
  return { ids, rest, poll, ended }
}

/** Watches a list of any endpoint. */
export function watch(
  v3: V3Client,
  name: TimedListName,
  params: object = {},
  options: RowWatchOptions = {},
) {
  // Each endpoint has its own parameters and rows; these tests look at ids only.
  const start = v3[name].watch as unknown as (
    params: object,
    options: RowWatchOptions,
  ) => ReturnType<V3Client['transactions']['watch']>
  return start(params, { pollMs: POLL_MS, ...options })
}
