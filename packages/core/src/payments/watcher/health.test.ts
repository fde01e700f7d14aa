import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { assessHealth, type WatcherHealthOptions } from './health.js'
import type { WatcherMemory } from './memory.js'
import { createTally } from './watch-report.js'

const clock = createFakeClock()
const NOW = clock.nowMs()

/** The memory of a process, and the last report of its runs. */
interface Remembered {
  aheadMs?: number
  newestMs?: number
  completeAtMs?: number
  completeSinceMs?: number
  refusal?: string
  last?: Partial<NonNullable<WatcherMemory['last']>> | undefined
}

function assess(one: Remembered, options: WatcherHealthOptions = {}) {
  const { aheadMs: differenceMs, newestMs, completeAtMs = -Infinity, refusal } = one
  const last = one.last && {
    ...createTally(NOW - 20_000),
    durationMs: 1,
    isComplete: true,
    ...one.last,
  }
  const chainClock = { differenceMs }
  const decisions = { paid: 3 }
  const memory = { chainClock, openOrders: { newestMs }, completeAtMs, refusal, last, decisions }
  const { completeSinceMs = NOW } = one
  // The fields that health needs.
  const state = { clock, memory: memory as unknown as WatcherMemory, completeSinceMs }
  return assessHealth(state, options)
}

describe('the health of a watcher', () => {
  it('is down when a run or an order is older than its limit, and up at the limit', () => {
    const limits = { maxOpenAgeMs: 5000, maxIncompleteMs: 7000 }
    const at = { last: { oldestOpenMs: NOW - 5000 }, completeSinceMs: NOW - 7000 }
    expect(assess(at, limits)).toMatchObject({ status: 'up' })
    expect(assess({ ...at, last: { oldestOpenMs: NOW - 5001 } }, limits)).toMatchObject({
      status: 'down',
      message: 'the oldest open order is 5001 ms old, more than 5000 ms',
    })
    expect(assess({ ...at, completeSinceMs: NOW - 7001 }, limits)).toMatchObject({
      status: 'down',
      message: 'the last complete run is 7001 ms old, more than 7000 ms',
    })
    expect(assess({ ...at, last: undefined }, limits)).toMatchObject({ status: 'up' })
  })

  it('is down with the reason why a wallet is refused', () => {
    const refused = { refusal: 'a wallet cannot be paid', completeSinceMs: NOW - 9000 }
    expect(assess(refused, { maxIncompleteMs: 1 })).toMatchObject({
      status: 'down',
      message: 'a wallet cannot be paid',
    })
  })

  it('is degraded while a clock is wrong, unless it is down', () => {
    expect(assess({ aheadMs: 70_000 })).toMatchObject({
      status: 'degraded',
      clockAheadMs: 70_000,
      message: expect.stringContaining('is 70000 ms ahead of the newest block'),
    })
    expect(assess({ aheadMs: -70_000 })).toMatchObject({
      status: 'degraded',
      clockAheadMs: -70_000,
      message: expect.stringContaining('is 70000 ms behind the newest block'),
    })
    expect(assess({ aheadMs: 70_000, completeSinceMs: NOW - 2 }, { maxIncompleteMs: 1 })).toEqual({
      status: 'down',
      clockAheadMs: 70_000,
      decisions: { paid: 3 },
      message: 'the last complete run is 2 ms old, more than 1 ms',
    })
  })

  it('is degraded for an order that is more than a minute in the future', () => {
    expect(assess({ newestMs: NOW + 60_000 })).toEqual({ status: 'up', decisions: { paid: 3 } })
    expect(assess({ newestMs: NOW + 60_001 })).toMatchObject({
      status: 'degraded',
      message: expect.stringContaining('was created 60001 ms in the future'),
    })
  })

  it('has the facts of the last run that are known', () => {
    expect(assess({ last: { openOrders: 2, ambiguous: 1, unwatched: 1 } })).toEqual({
      status: 'up',
      lastRunAgeMs: 20_000,
      isComplete: true,
      openOrders: 2,
      ambiguous: 1,
      unwatched: 1,
      decisions: { paid: 3 },
    })
    const failed = { isComplete: false, problem: 'no connection', scannedTo: NOW / 1000 - 30 }
    expect(assess({ last: failed, completeAtMs: NOW - 40_000 })).toMatchObject({
      isComplete: false,
      problem: 'no connection',
      lastCompleteAgeMs: 40_000,
      cursorLagMs: 30_000,
    })
    expect(assess({ last: { scannedTo: NOW / 1000 + 5 } })).toMatchObject({ cursorLagMs: 0 })
  })
})
