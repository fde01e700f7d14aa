import { findBroken, printBroken } from '@tonplug/test-support/interleavings/shorten'
import { expect, it } from 'vitest'
import { open } from './interleaving-stores.js'

/** `INTERLEAVINGS=100` searches. */
const SEEDS = Number(process.env['INTERLEAVINGS'] ?? 0)

// On demand, as the search in memory: `packages/testing/test/interleavings`.
it.skipIf(SEEDS === 0)(
  'S124 breaks no promise of the ledger on PGlite, for fresh seeds; skipped without INTERLEAVINGS, their number',
  async () => {
    const given = process.env['INTERLEAVING_SEED']
    const first = given === undefined ? Math.floor(Math.random() * 1e9) : Number(given)
    console.info(`INTERLEAVING_SEED=${first}`)
    for (let seed = first; seed < first + SEEDS; seed++) {
      const broken = await findBroken(seed, { open })
      expect.soft(broken && printBroken(broken)).toBeUndefined()
    }
  },
  3_600_000,
)
