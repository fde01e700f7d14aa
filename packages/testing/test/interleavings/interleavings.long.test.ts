import { findBroken, printBroken } from '@tonplug/test-support/interleavings/shorten'
import { expect, it } from 'vitest'

/** `INTERLEAVINGS=20000` searches as many fresh seeds. */
const fresh = process.env['INTERLEAVINGS']
const SEEDS = Number(fresh ?? 2000)

it(`S124 breaks no promise of the ledger, for ${SEEDS} seeds; with INTERLEAVINGS, their number, for fresh ones`, async () => {
  const first = fresh === undefined ? 1 : Math.floor(Math.random() * 1e9)
  console.info(`INTERLEAVING_SEED=${first}`)
  for (let seed = first; seed < first + SEEDS; seed++) {
    const broken = await findBroken(seed)
    expect.soft(broken && printBroken(broken)).toBeUndefined()
  }
}, 3_600_000)
