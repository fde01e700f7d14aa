import { simulateShop } from '@tonplug/testing'
import { expect, it } from 'vitest'

it('S124 simulates the same run for the same seed, and another one for another seed', async () => {
  const hashes = []
  for (const seed of [7, 7, 8]) hashes.push((await simulateShop({ seed, hours: 0.1 })).hash)
  expect(hashes[0]).toBe(hashes[1])
  expect(hashes[0]).not.toBe(hashes[2])
}, 120_000)

it('S124 breaks no promise, and reports what the buyers and handlers did', async () => {
  const { problems, events, trace } = await simulateShop({ seed: 5, hours: 0.1 })
  expect(problems).toEqual([])
  expect(events.some(({ kind }) => kind === 'pay')).toBe(true)
  expect(trace.some((line) => line.includes('handler.onPaid'))).toBe(true)
}, 120_000)
