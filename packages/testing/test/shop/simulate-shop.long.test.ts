import { printTest, shrinkRun, simulateShop } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'

const RUN_MS = 1000 * Number(process.env['SHOP_SECONDS'] ?? 5)
const RUNS = Number(process.env['SHOP_RUNS'] ?? 20)
const HOURS = 0.1

describe('simulateShop', () => {
  it(`S124 has one hash in ${RUNS} runs of a seed`, async () => {
    const hashes = new Set<string>()
    for (let run = 0; run < RUNS; run++) {
      hashes.add((await simulateShop({ seed: 11, hours: HOURS })).hash)
    }
    expect(hashes.size).toBe(1)
  }, 600_000)

  it(
    'S124 breaks no promise from a fresh seed on; SHOP_SEED repeats one',
    async () => {
      const given = process.env['SHOP_SEED']
      const first = given === undefined ? Math.floor(Math.random() * 1e9) : Number(given)
      console.info(`SHOP_SEED=${first}`)
      const beganMs = performance.now()
      for (let seed = first; performance.now() - beganMs < RUN_MS; seed++) {
        const { problems } = await simulateShop({ seed, hours: HOURS })
        expect(problems.length > 0 ? await reduced(seed) : '').toBe('')
        if (given !== undefined) break
      }
    },
    RUN_MS + 300_000,
  )
})

async function reduced(seed: number): Promise<string> {
  return `seed ${seed}:\n${printTest(await shrinkRun({ seed, hours: HOURS }))}`
}
