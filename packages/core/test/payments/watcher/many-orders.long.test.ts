import {
  createPayments,
  createPaymentWatcher,
  memoryInbox,
  memoryOrderRepository,
  type Order,
  type PaymentWatcher,
} from '@tonplug/core'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { createTestLogger } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createDrivenClock, type DrivenClock } from '../../toncenter/sending/driven-clock.js'
import { startMockIndex, type MockIndex } from './mock-index.js'
import { BEGIN, recipient } from './paid-chain.js'

const RPS = 10

interface Running {
  driven: DrivenClock
  index: MockIndex
  watcher: PaymentWatcher
  paid: () => number
  shipped: string[]
  /** The times of the requests, milliseconds. */
  sentMs: number[]
}

/** Opens a shop with open orders. The first ones were paid within the last day. */
async function openShop(orders: number, paidOrders: number): Promise<Running> {
  const index = await startMockIndex(paidOrders, 80_000 / paidOrders)
  const driven = createDrivenClock()
  const { clock } = driven
  await clock.advance(BEGIN * 1000 + 86_400_000 - clock.nowMs())
  index.head = BEGIN + 86_400
  const repository = memoryOrderRepository<Order>(
    Array.from({ length: orders }, (_, number) => ({
      reference: `order-${number}`,
      rawAmount: 1_000_000_000n,
      asset: 'TON',
      status: 'pending',
      bodyBase64Hash: index.bodyHash(number),
      createdAt: new Date(BEGIN * 1000),
    })),
  )
  const shipped: string[] = []
  const logger = createTestLogger()
  const payments = createPayments({
    orders: repository,
    inbox: memoryInbox({ clock }),
    wallets: [recipient],
    onPaid: ({ order }) => void shipped.push(order.reference),
    clock,
    logger,
  })
  const sentMs: number[] = []
  const transport = createTransport({
    baseUrl: index.url,
    rps: RPS,
    clock,
    fetch: (url, init) => {
      sentMs.push(clock.nowMs())
      return driven.fetch(url, init)
    },
  })
  const v3 = createV3Client({ transport })
  const watcher = createPaymentWatcher({ payments, v3 })
  onTestFinished(async () => {
    await driven.run(watcher.close())
    await driven.run(payments.close())
  })
  const paid = (): number => repository.all().filter(({ status }) => status === 'completed').length
  return { driven, index, watcher, paid, shipped, sentMs }
}

/** The most requests in any one second. */
function mostInASecond(sentMs: readonly number[]): number {
  return Math.max(
    ...sentMs.map((ms) => sentMs.filter((other) => other >= ms && other < ms + 1000).length),
  )
}

describe('a watcher of many orders', () => {
  it('S84 finds the payments of 100 000 open orders by recipient, not order by order', async () => {
    const { driven, watcher, paid, sentMs } = await openShop(100_000, 5000)
    const report = await driven.run(watcher.run())
    console.log(
      `100 000 open orders, 5000 payments: ${sentMs.length} requests, ${report.durationMs / 1000} s at ${RPS} requests a second`,
    )
    expect(report).toMatchObject({ isComplete: true, openOrders: 20_000, unsettled: 0 })
    expect(report.decisions).toEqual({ paid: 5000 })
    expect(paid()).toBe(5000)
    // One page for 1000 payments, one request for 50 traces, 20 orders looked up individually.
    expect(sentMs.length).toBeLessThan(150)
    expect(report.durationMs).toBeLessThan(15_000)
    expect(mostInASecond(sentMs)).toBeLessThanOrEqual(RPS)

    const before = sentMs.length
    const again = await driven.run(watcher.run())
    console.log(`the next run: ${sentMs.length - before} requests, ${again.durationMs / 1000} s`)
    expect(again).toMatchObject({ isComplete: true, openOrders: 20_000, decisions: {} })
    expect(sentMs.length - before).toBeLessThan(30)
  })

  it('decides every payment although the index limits, lags and fails', async () => {
    const { driven, index, watcher, paid, shipped, sentMs } = await openShop(1000, 600)
    let count = 0
    const troubles = [
      { status: 429, body: { ok: false, result: 'Ratelimit exceed', code: 429 } },
      { status: 502, body: {} },
      { status: 500, body: { error: 'timeout' } },
    ]
    index.fault = () => {
      count++
      // An outage, and then every third request fails.
      if (count < 60) return { status: 503, body: {} }
      return count % 3 === 0 ? troubles[(count / 3) % troubles.length] : undefined
    }
    // The index is hours behind and catches up from run to run.
    index.head = BEGIN + 30_000
    const reports = []
    for (let run = 0; run < 30; run++) {
      const report = await driven.run(watcher.run())
      reports.push(report.isComplete)
      index.head = Math.min(index.head + 5000, BEGIN + 86_400)
      await driven.clock.advance(60_000)
    }
    expect(reports).toContain(false)
    expect(reports.at(-1)).toBe(true)
    expect(paid()).toBe(600)
    expect(new Set(shipped).size).toBe(600)
    expect(shipped).toHaveLength(600)
    expect(mostInASecond(sentMs)).toBeLessThanOrEqual(RPS)
  })
})
