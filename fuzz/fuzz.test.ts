// Must be imported before the packages' sources.
import { takeCoverage } from './src/coverage.js'
import { describe, expect, it } from 'vitest'
import { readCorpus } from './src/corpus.js'
import { fuzz } from './src/fuzz.js'
import type { Target } from './src/target.js'
import { targets } from './src/targets/all.js'

const seconds = Number(process.env['FUZZ_SECONDS'] ?? 0)
const seed = Number(process.env['FUZZ_SEED'] ?? (seconds > 0 ? Date.now() % 1_000_000 : 1))
const isGrowing = process.env['FUZZ_GROW'] === '1'
const limit = seconds > 0 ? { ms: (seconds * 1000) / targets.length } : { inputs: 2000 }

describe.each(targets)('$name', (target) => {
  it.each(readCorpus(target))('holds for $file', async ({ input }) => {
    await expect(Promise.resolve(target.check(input))).resolves.toBeUndefined()
  })

  it(
    `holds for inputs made of them at random (FUZZ_SEED=${seed})`,
    async () => {
      const { inputs, reached } = await fuzz(target, { seed, limit, isGrowing })
      if (seconds > 0) console.log(`${target.name}: ${inputs} inputs, ${reached} reached new code`)
      expect(inputs).toBeGreaterThan(0)
    },
    seconds * 1000 + 60_000,
  )

  it.each(Object.entries(target.grow))(
    'takes no more steps for each byte of longer %s',
    async (_, grow) => {
      const [short, long] = [grow(1 << 12), grow(1 << 16)]
      const perByte = await steps(target, short)
      expect(await steps(target, long)).toBeLessThan(perByte * 2 + 10)
    },
  )
})

/** Returns the number of executed blocks of the packages' sources per byte of input. */
async function steps(target: Target, input: Uint8Array): Promise<number> {
  await takeCoverage()
  await target.check(input)
  const blocks = await takeCoverage()
  return blocks.reduce((sum, { count }) => sum + count, 0) / input.length
}
