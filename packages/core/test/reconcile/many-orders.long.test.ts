import {
  createReconciler,
  createTransport,
  createV3Client,
  createWebhookReceiver,
  memoryOrderRepository,
  type Order,
  type Reconciler,
} from '@tonplug/core'
import { recordingLogger } from '@tonplug/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDrivenClock, type DrivenClock } from '../onchain/driven-clock.js'
import { SECRET } from '../shop.js'
import { startIndexStandIn, type IndexStandIn } from './index-stand-in.js'
import { BEGIN, recipient } from './paid-chain.js'

// As many orders take their time, on a machine under load above all.
vi.setConfig({ testTimeout: 180_000 })

const RPS = 10

interface Running {
  driven: DrivenClock
  index: IndexStandIn
  reconciler: Reconciler
  paid: () => number
  shipped: string[]
  /** When requests were sent, milliseconds. */
  sentMs: number[]
}

/** A shop with so many open orders, of which the first ones are paid, a day after they began to come. */
async function openShop(orders: number, payments: number): Promise<Running> {
  const index = await startIndexStandIn(payments, 80_000 / payments)
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
  const logger = recordingLogger()
  const receiver = createWebhookReceiver({
    secrets: SECRET,
    orders: repository,
    recipients: [recipient],
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
  const reconciler = createReconciler({ receiver, orders: repository, v3, clock, logger })
  onTestFinished(async () => {
    await driven.run(reconciler.close())
    await driven.run(receiver.close())
  })
  const paid = (): number => repository.all().filter(({ status }) => status === 'completed').length
  return { driven, index, reconciler, paid, shipped, sentMs }
}

/** The most requests in any one second. */
function mostInASecond(sentMs: readonly number[]): number {
  return Math.max(
    ...sentMs.map((ms) => sentMs.filter((other) => other >= ms && other < ms + 1000).length),
  )
}

describe('a reconciliation of many orders', () => {
  it('goes through 100 000 open orders by their recipient, not one by one', async () => {
    const { driven, reconciler, paid, sentMs } = await openShop(100_000, 5000)
    const report = await driven.run(reconciler.run())
    console.log(
      `100 000 open orders, 5000 lost webhooks: ${sentMs.length} requests, ${report.durationMs / 1000} s at ${RPS} requests a second`,
    )
    expect(report).toMatchObject({ isComplete: true, openOrders: 100_000, unsettled: 0 })
    expect(report.found).toEqual({ lost_webhook: 5000 })
    expect(paid()).toBe(5000)
    // A page for each thousand payments, a request for each fifty traces, twenty orders by themselves.
    expect(sentMs.length).toBeLessThan(150)
    expect(report.durationMs).toBeLessThan(15_000)
    expect(mostInASecond(sentMs)).toBeLessThanOrEqual(RPS)

    const before = sentMs.length
    const again = await driven.run(reconciler.run())
    console.log(`the next run: ${sentMs.length - before} requests, ${again.durationMs / 1000} s`)
    expect(again).toMatchObject({ isComplete: true, openOrders: 95_000, found: {} })
    expect(sentMs.length - before).toBeLessThan(30)
  })

  it('decides everything in the end while the index limits, lags and fails', async () => {
    const { driven, index, reconciler, paid, shipped, sentMs } = await openShop(1000, 600)
    let count = 0
    const troubles = [
      { status: 429, body: { ok: false, result: 'Ratelimit exceed', code: 429 } },
      { status: 502, body: {} },
      { status: 500, body: { error: 'timeout' } },
    ]
    index.fault = () => {
      count++
      // An outage, and then every third request goes wrong.
      if (count < 60) return { status: 503, body: {} }
      return count % 3 === 0 ? troubles[(count / 3) % troubles.length] : undefined
    }
    // The index is hours behind, and comes nearer from run to run.
    index.head = BEGIN + 30_000
    const reports = []
    for (let run = 0; run < 30; run++) {
      const report = await driven.run(reconciler.run())
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
