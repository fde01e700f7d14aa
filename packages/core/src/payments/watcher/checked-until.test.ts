import { createFakeClock } from '@tonplug/testing'
import { expect, it } from 'vitest'
import type { RetryEntry } from '../../toncenter/follow/retry-queue.js'
import { checkedUntil, settledUntil } from './checked-until.js'
import { memoryCursor } from './cursor.js'
import type { ResolvedWatcherOptions } from './options.js'

/** Asks a process whose last complete run was so long ago, and whose cursor has this progress. */
async function ask(ageMs: number, own: number | undefined, stored?: Record<string, unknown>) {
  const clock = createFakeClock()
  const cursor = memoryCursor()
  if (stored !== undefined) await cursor.save(JSON.stringify(stored))
  let loads = 0
  const load = () => {
    loads++
    return cursor.load()
  }
  const options = { clock, cursor: { ...cursor, load }, payments: { name: 'default' } }
  const memory = { checkedUntil: own, completeAtMs: clock.nowMs() - ageMs }
  const until = await checkedUntil(options as unknown as ResolvedWatcherOptions, memory)
  return { until, loads }
}

const OTHER = { name: 'default', scannedTo: 900 }

it('trusts a run of this process for ten seconds, without the cursor', async () => {
  expect(await ask(9999, 500, OTHER)).toEqual({ until: 500, loads: 0 })
  expect(await ask(10_000, 500, OTHER)).toEqual({ until: 900, loads: 1 })
})

it('takes the later time of this process and of the cursor', async () => {
  expect(await ask(10_000, 950, OTHER)).toMatchObject({ until: 950 })
  expect(await ask(0, undefined, OTHER)).toMatchObject({ until: 900 })
})

it('ignores a cursor of another Payments, and one without a scan', async () => {
  expect(await ask(10_000, 500, { ...OTHER, name: 'other' })).toMatchObject({ until: 500 })
  expect(await ask(10_000, 500, { name: 'default' })).toMatchObject({ until: 500 })
  expect(await ask(10_000, undefined)).toMatchObject({ until: undefined })
})

it('ends before the oldest transaction that is not explained', () => {
  expect(settledUntil(900, [])).toBe(900)
  const retry = [800, 700, 2000].map((utime): RetryEntry => ['', utime, 0, 0])
  expect(settledUntil(900, retry)).toBe(699)
})
