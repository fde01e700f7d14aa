import type { Order, OrderRepository } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { countingRepository } from './counting-repository.js'
import { startMockIndex } from './mock-index.js'
import { openWatcher } from './open-watcher.js'
import { BEGIN } from './paid-chain.js'

const DAY = 86_400
/** Open orders in memory. */
const MAX_OPEN = 20_000

describe('a run with 300 000 expired orders of three years', () => {
  const YEARS = 3 * 365 * DAY
  const EXPIRED = 300_000
  const head = BEGIN + YEARS

  /** Generates expired orders lazily. @param obeys whether the repository applies the query */
  function expiredOrders(obeys: boolean) {
    const queries: Parameters<OrderRepository['listOpen']>[0][] = []
    let read = 0
    const base = countingRepository().orders
    const orders: OrderRepository = {
      ...base,
      async *listOpen(query) {
        queries.push(query)
        const { createdAfter = new Date(0), limit } = query
        let listed = 0
        for (let number = 0; number < EXPIRED; number++) {
          // A tenth of them in the last month.
          const part = (number / EXPIRED) ** 0.25
          const createdAt = new Date((BEGIN + Math.floor(part * YEARS)) * 1000)
          if (obeys && createdAt < createdAfter) continue
          if (obeys && ++listed > limit) return
          read++
          const reference = `expired-${number}`
          yield { reference, rawAmount: 1n, asset: 'TON', status: 'expired', createdAt }
        }
      },
    }
    return { orders, queries, read: () => read }
  }

  it.each([true, false])(
    'S84 keeps at most 20,000 orders and scans at most 30 days; the repository applies the query: %s',
    async (obeys) => {
      const index = await startMockIndex(6000, YEARS / 6000)
      index.head = head
      const { orders, queries, read } = expiredOrders(obeys)
      const { watcher, logger } = openWatcher(index, orders)
      const report = await watcher.run()
      expect(report).toMatchObject({ isComplete: true, openOrders: MAX_OPEN, unsettled: 0 })
      expect(report.oldestOpenMs).toBeGreaterThanOrEqual((head - 30 * DAY) * 1000)
      expect(queries).toEqual([
        { createdAfter: new Date((head - 30 * DAY) * 1000), limit: MAX_OPEN },
      ])
      // The others are older, or were not read because the limit was reached.
      expect(read()).toBeLessThanOrEqual(obeys ? MAX_OPEN : EXPIRED - 3000)
      const starts = index.requests.flatMap(({ query }) => query.get('start_utime') ?? [])
      expect(Math.min(...starts.map(Number))).toBe(head - 30 * DAY)
      // Two pages of each list, the newest block, the wallet, and two requests to prove the end of each list.
      expect(index.requests.length).toBeLessThanOrEqual(10)
      expect(logger.lines).toContainEqual({
        level: 'warn',
        message:
          'open orders reach the limit in memory; newer ones are only found by body hash and reference',
        fields: { limit: MAX_OPEN },
      })
    },
  )

  it('S84 begins no daily scan and no resumed scan more than 30 days ago', async () => {
    const index = await startMockIndex(10, 1)
    index.head = head
    let position: string | undefined = JSON.stringify({ name: 'default', scannedTo: BEGIN })
    const cursor = {
      load: async () => position,
      save: async (text: string) => void (position = text),
      acquire: async () => true,
      release: async () => undefined,
    }
    const { orders } = expiredOrders(true)
    const { watcher } = openWatcher(index, orders, { cursor })
    expect(await watcher.run()).toMatchObject({ isComplete: true })
    const starts = index.requests.flatMap(({ query }) => query.get('start_utime') ?? [])
    expect(Math.min(...starts.map(Number))).toBe(head - 30 * DAY)
  })

  it('S84 finds a payment for an order that is older than 30 days by its body', async () => {
    const index = await startMockIndex(5, 60)
    index.head = BEGIN + 600
    const { orders } = countingRepository()
    const old: Order = {
      reference: 'old',
      rawAmount: 1_000_000_000n,
      asset: 'TON',
      status: 'expired',
      bodyBase64Hash: index.bodyHash(2),
      createdAt: new Date((BEGIN - 400 * DAY) * 1000),
    }
    const completed: string[] = []
    const { watcher } = openWatcher(index, {
      ...orders,
      findByBodyHashes: async (hashes) => (hashes.includes(index.bodyHash(2)) ? [old] : []),
      find: async () => old,
      complete: async ({ reference }) => {
        completed.push(reference)
        return 'applied'
      },
    })
    expect(await watcher.run()).toMatchObject({ decisions: { paid: 1 }, openOrders: 1, late: 1 })
    expect(completed).toEqual(['old'])
  })
})
