import { describe, expect, it } from 'vitest'
import { countingRepository } from './counting-repository.js'
import { startMockIndex, type MockIndex, type MockIndexOptions } from './mock-index.js'
import { openWatcher } from './open-watcher.js'
import { BEGIN } from './paid-chain.js'

const FOREIGN = 5000

/** Starts an index with foreign transactions, one every four seconds. */
async function startForeignIndex(options: MockIndexOptions = {}): Promise<MockIndex> {
  const index = await startMockIndex(FOREIGN, 4, options)
  index.head = BEGIN + 86_400
  return index
}

describe('look-ups of orders', () => {
  it('S85 take at most one repository call per 100 foreign transactions', async () => {
    const index = await startForeignIndex({ commentOf: (number) => `foreign-${number}` })
    const { orders, calls, total } = countingRepository()
    const { watcher } = openWatcher(index, orders)
    expect(await watcher.run()).toMatchObject({ isComplete: true, unsettled: 0 })
    expect(total()).toBeLessThanOrEqual(FOREIGN / 100)
    const sum = (name: string) => (calls[name] ?? []).reduce((one, other) => one + other, 0)
    expect(sum('findByReferences')).toBe(FOREIGN)
    // Their traces are read too, since they may be reported as transfers without an order.
    expect(sum('findByBodyHashes')).toBe(FOREIGN)
    expect(Math.max(...Object.values(calls).flat())).toBeLessThanOrEqual(1000)
    expect(calls['find']).toBeUndefined()
  })

  it('S85 take at most one repository call per 100 foreign jetton transfers', async () => {
    const index = await startForeignIndex({ isJetton: true })
    const { orders, total } = countingRepository()
    const { watcher } = openWatcher(index, orders)
    expect(await watcher.run()).toMatchObject({ isComplete: true, unsettled: 0, decisions: {} })
    const requests = index.requests.filter(({ path }) => path === '/traces').length
    // Each page may end with a smaller request.
    expect(requests).toBeLessThanOrEqual((FOREIGN / 50) * 1.05)
    expect(total()).toBeLessThanOrEqual(FOREIGN / 100)
  })

  it('S85 call find once per 100 foreign transactions when findByReferences is missing', async () => {
    const index = await startForeignIndex({ commentOf: (number) => `foreign-${number}` })
    const { orders, calls } = countingRepository()
    const { findByReferences: _, findByBodyHashes: __, ...without } = orders
    const { watcher, logger, clock } = openWatcher(index, without)
    expect(await watcher.run()).toMatchObject({ isComplete: true, unsettled: 0 })
    // One call per run does not depend on the transactions.
    expect(calls['find']?.length).toBe(FOREIGN / 100 + 1)
    expect(calls['findByReferences']).toBeUndefined()
    expect(logger.lines.map(({ message }) => message).join()).not.toMatch(/is missing/)
    watcher.start()
    await clock.advance(0)
    const missing = logger.lines.filter(({ message }) => message.includes('is missing'))
    expect(missing.map(({ level, message }) => [level, message.split(';')[0]])).toEqual([
      ['warn', 'orders.findByBodyHashes is missing'],
      ['warn', 'orders.findByReferences is missing'],
    ])
  })
})
