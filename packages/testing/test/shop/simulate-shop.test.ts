import { simulateShop, type ShopEvent } from '@tonplug/testing'
import { expect, it, vi } from 'vitest'

it('S124 simulates the same run for the same seed, and another one for another seed', async () => {
  const hashes = []
  for (const seed of [7, 7, 8]) hashes.push((await simulateShop({ seed, hours: 0.1 })).hash)
  expect(hashes[0]).toBe(hashes[1])
  expect(hashes[0]).not.toBe(hashes[2])
})

it('S124 breaks no promise, and reports what the buyers and handlers did', async () => {
  const { problems, events, trace } = await simulateShop({ seed: 5, hours: 0.1 })
  expect(problems).toEqual([])
  expect(events.some(({ kind }) => kind === 'pay')).toBe(true)
  expect(trace.some((line) => line.includes('handler.onPaid'))).toBe(true)
})

it('S124 simulates the same run whatever time Web Crypto takes', async () => {
  const [reference, rawAmount] = ['order-1', '1000000000']
  const events: ShopEvent[] = [
    { kind: 'pay', atMs: 1000, payment: 'p1', reference, rawAmount, times: 1, lagMs: 0 },
    { kind: 'webhook', atMs: 2000, payment: 'p1', process: 0, names: 'trace' },
    { kind: 'refund', atMs: 60_000, payment: 'p1', names: 'trace' },
    { kind: 'index', atMs: 3_600_000, downMs: 1 },
  ]
  const { hash, trace } = await simulateShop({ seed: 1, events })
  expect(trace.some((line) => line.endsWith('refund: proposed'))).toBe(true)
  const { subtle } = globalThis.crypto
  const digest = subtle.digest.bind(subtle)
  const slow = vi.spyOn(SubtleCrypto.prototype, 'digest')
  slow.mockImplementation(async (...given) => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return digest(...given)
  })
  try {
    expect((await simulateShop({ seed: 1, events })).hash).toBe(hash)
  } finally {
    slow.mockRestore()
  }
})
