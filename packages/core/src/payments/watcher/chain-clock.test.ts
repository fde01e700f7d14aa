import { createFakeClock, createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { ChainClock } from './chain-clock.js'

const HEAD = 1_767_614_400
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Opens a clock with a first block of this age. */
function openClock(ageMs: number) {
  const clock = createFakeClock({ startMs: HEAD * 1000 + ageMs })
  const logger = createTestLogger()
  const chainClock = new ChainClock({ clock, logger })
  const observe = (head: number): void => chainClock.observe(clock.nowMs(), head)
  observe(HEAD)
  return { clock, logger, chainClock, observe }
}

/** Opens a clock that was this far ahead of a block, before that block appeared. */
async function openAhead(aheadMs: number) {
  const shop = openClock(aheadMs + 1000)
  await shop.clock.advance(30_000)
  shop.observe(HEAD + 1)
  return shop
}

describe('the clock of a watcher', () => {
  it('is known after a block of the last minute', () => {
    expect(openClock(MINUTE_MS).chainClock.isKnown).toBe(true)
    expect(openClock(MINUTE_MS + 1).chainClock.isKnown).toBe(false)
  })

  it('is known after a block that appeared between two looks, however old', async () => {
    const { clock, chainClock, observe } = openClock(HOUR_MS)
    await clock.advance(30_000)
    observe(HEAD)
    expect(chainClock.isKnown).toBe(false)
    observe(HEAD + 1)
    expect(chainClock.isKnown).toBe(true)
    observe(HEAD + 1)
    expect(chainClock.isKnown).toBe(true)
  })

  it.each([
    { aheadMs: MINUTE_MS, correctionMs: 0, differenceMs: undefined },
    { aheadMs: MINUTE_MS + 1, correctionMs: MINUTE_MS + 1, differenceMs: MINUTE_MS + 1 },
    { aheadMs: HOUR_MS + 1, correctionMs: HOUR_MS, differenceMs: HOUR_MS + 1 },
  ])('is corrected by $correctionMs ms when it is $aheadMs ms ahead', async (expected) => {
    const { chainClock } = await openAhead(expected.aheadMs)
    expect(chainClock.correctionMs).toBe(expected.correctionMs)
    expect(chainClock.differenceMs).toBe(expected.differenceMs)
  })

  it.each([
    { ageMs: -MINUTE_MS, differenceMs: undefined },
    { ageMs: -MINUTE_MS - 1, differenceMs: -MINUTE_MS - 1 },
  ])('differs by $differenceMs ms from a block of $ageMs ms, uncorrected', (expected) => {
    const { chainClock } = openClock(expected.ageMs)
    expect(chainClock.differenceMs).toBe(expected.differenceMs)
    expect(chainClock.correctionMs).toBe(0)
  })

  it('keeps the largest difference that a new block has shown', async () => {
    const { clock, chainClock, observe } = await openAhead(2 * MINUTE_MS)
    observe(HEAD + 2)
    await clock.advance(MINUTE_MS)
    observe(HEAD + 20)
    expect(chainClock.differenceMs).toBe(2 * MINUTE_MS + 29_000)
  })

  it('takes no difference from a block that did not appear', async () => {
    const { clock, chainClock, observe } = openClock(2 * MINUTE_MS)
    await clock.advance(1000)
    observe(HEAD - 1)
    observe(HEAD - 1)
    expect(chainClock.differenceMs).toBeUndefined()
  })

  it('logs a difference once, and once that it has ended', async () => {
    const { clock, logger, chainClock, observe } = await openAhead(2 * MINUTE_MS)
    observe(HEAD + 1)
    expect(logger.lines).toEqual([
      {
        level: 'warn',
        message: expect.stringContaining('clock differs from the newest block'),
        fields: { aheadMs: 2 * MINUTE_MS },
      },
    ])
    const nowSeconds = Math.floor(clock.nowMs() / 1000)
    observe(nowSeconds)
    observe(nowSeconds)
    expect(chainClock.differenceMs).toBeUndefined()
    expect(logger.lines.slice(1)).toEqual([
      { level: 'info', message: 'clock agrees with the newest block again', fields: {} },
    ])
  })
})
