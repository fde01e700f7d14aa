import { printTest, shrinkRun, simulateShop } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const RUN_MS = 1000 * Number(process.env['SHOP_SECONDS'] ?? 5)
const RUNS = Number(process.env['SHOP_RUNS'] ?? 20)
const HOURS = Number(process.env['SHOP_HOURS'] ?? 0.1)

describe('simulateShop', () => {
  it(`S124 has one hash in ${RUNS} runs of a seed`, async () => {
    const hashes = new Set<string>()
    for (let run = 0; run < RUNS; run++) {
      hashes.add((await simulateShop({ seed: 11, hours: HOURS })).hash)
    }
    expect(hashes.size).toBe(1)
  })

  it(
    'S124 breaks no promise from a fresh seed on; SHOP_SEED is the first one, and SHOP_SECONDS=0 runs it alone',
    async () => {
      const first = Number(process.env['SHOP_SEED'] ?? Math.floor(Math.random() * 1e9))
      console.info(`SHOP_SEED=${first}`)
      const endMs = performance.now() + RUN_MS
      let seed = first
      do {
        const { problems } = await simulateShop({ seed, hours: HOURS })
        expect(problems.length > 0 ? await reduced(seed) : '').toBe('')
        seed++
      } while (performance.now() < endMs)
      console.info(`${seed - first} simulated shops`)
    },
    2 * RUN_MS + 300_000,
  )
})

async function reduced(seed: number): Promise<string> {
  return `seed ${seed}:\n${printTest(await shrinkRun({ seed, hours: HOURS }))}`
}
