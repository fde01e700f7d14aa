import { findBroken, printBroken } from '@tonplug/test-support/interleavings/shorten'
import { expect, it } from 'vitest'

const SEEDS = 50

it(`S124 breaks no promise of the ledger, for ${SEEDS} seeds; INTERLEAVING_SEED repeats one`, async () => {
  const given = process.env['INTERLEAVING_SEED']
  const seeds = Array.from({ length: SEEDS }, (_, place) => place + 1)
  for (const seed of given === undefined ? seeds : [Number(given)]) {
    const broken = await findBroken(seed)
    expect(broken && printBroken(broken)).toBeUndefined()
  }
})
