import { setTimeout } from 'node:timers/promises'
import { createStream } from '@tonplug/core/toncenter'
import { expect, it, onTestFinished } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

/** The time between two looks that finds a payment after 0.3 s at the median. */
const SAME_LATENCY_MS = 600

interface Idling {
  seconds: number
  stepMs: number
  minIntervalMs: number
  isStreaming: boolean
}

/** Counts the requests of a watcher in a shop that always has a new order, and receives no payment. */
async function requestsPerHour({
  seconds,
  stepMs,
  minIntervalMs,
  isStreaming,
}: Idling): Promise<number> {
  const streams: ReturnType<typeof createStream>[] = []
  const stream = {
    subscribe: (subscription: Parameters<(typeof streams)[0]['subscribe']>[0]) =>
      streams[0]!.subscribe(subscription),
  }
  const shop = await openPaidChain([], {
    watcher: { minIntervalMs, ...(isStreaming && { stream }) },
  })
  const { clock, chain } = shop
  streams.push(createStream({ baseUrl: chain.url, clock }))
  onTestFinished(() => streams[0]?.close())
  shop.watcher.start()
  let before = 0
  for (let step = 0; step < (seconds * 1000) / stepMs; step++) {
    const passedMs = step * stepMs
    if (passedMs % 30_000 === 0) {
      const createdAt = new Date(clock.nowMs())
      shop.orders.add(orderOf(`order-${step}`, gatewayBody(step), { createdAt }))
    }
    if (isStreaming && passedMs % 10_000 === 0) {
      chain.streamServer.keepAlive()
      await setTimeout(20)
    }
    // The first look is that of the start.
    if (passedMs === 60_000) before = shop.v3Server.requests.length
    await shop.wait(stepMs / 1000)
    await shop.quiet()
  }
  const counted = shop.v3Server.requests.length - before
  return Math.round((counted / (seconds - 60)) * 3600)
}

it('makes ten times fewer requests than polling at the same latency', async () => {
  const streamed = { seconds: 660, stepMs: 1000, minIntervalMs: 1500, isStreaming: true }
  const polled = { seconds: 180, stepMs: 100, minIntervalMs: SAME_LATENCY_MS, isStreaming: false }
  const withStream = await requestsPerHour(streamed)
  const atSameLatency = await requestsPerHour(polled)
  const byDefault = await requestsPerHour({ ...polled, minIntervalMs: 1500 })
  console.log(
    `requests per idle hour: ${withStream} with a stream, ${byDefault} every 1.5 s, ${atSameLatency} every ${SAME_LATENCY_MS} ms`,
  )
  expect(atSameLatency).toBeGreaterThanOrEqual(10 * withStream)
})
