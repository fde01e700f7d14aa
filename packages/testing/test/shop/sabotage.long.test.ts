import { simulateShop } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { SABOTAGES } from './sabotages.js'

/** Searches from a random seed on, as `pnpm test:shop` does. */
const isBlind = process.env['SHOP_BLIND'] === '1'
const SEARCH_MS = 600_000
const HOURS = 0.1
/** A change of the engine moves the seed that finds a defect. */
const SEEDS = 50

describe('simulateShop', () => {
  it.skipIf(isBlind).each(SABOTAGES)(
    'S124 fails where $title',
    async ({ seed: first, options }) => {
      let problems: readonly string[] = []
      for (let seed = first; problems.length === 0 && seed < first + SEEDS; seed++) {
        problems = (await simulateShop({ ...options, hours: HOURS, seed })).problems
      }
      expect(problems).not.toEqual([])
    },
    120_000,
  )

  it.runIf(isBlind).each(SABOTAGES)(
    'S124 finds from a fresh seed on that $title',
    async ({ options }) => {
      const first = Math.floor(Math.random() * 1e9)
      const beganMs = performance.now()
      let seed = first
      for (;;) {
        const { problems } = await simulateShop({ ...options, hours: HOURS, seed })
        if (problems.length > 0) break
        seed++
        expect(performance.now() - beganMs, `seeds from ${first}`).toBeLessThan(SEARCH_MS)
      }
    },
    SEARCH_MS + 60_000,
  )
})
