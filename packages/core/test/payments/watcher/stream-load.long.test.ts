import { comment, internal, toNano } from '@ton/core'
import {
  createPayments,
  createPaymentWatcher,
  memoryInbox,
  memoryOrderRepository,
  type Order,
} from '@tonplug/core'
import { createStream, createV3Client } from '@tonplug/core/toncenter'
import { createChainSimulator } from '@tonplug/simulator'
import { createTestLogger } from '@tonplug/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createRandom } from '@tonplug/test-support/random'

/** 100,000 in a full run. */
const PAYMENTS = Number(process.env['TONPLUG_STREAM_PAYMENTS'] ?? 2000)
const PER_MESSAGE = 20
const ORDERS_PER_ROUND = 1000
/** One fault of the connection for so many messages. */
const FAULT_EVERY = 5
const LATENCIES = 40

/** Opens a shop on a chain in real time. */
async function openShop(watching: { maxIntervalMs: number; isStreaming: boolean }) {
  const chain = await createChainSimulator({ now: () => Math.floor(Date.now() / 1000) })
  const shop = await chain.createWallet()
  const buyer = await chain.createWallet({ balance: toNano(10_000_000) })
  const logger = createTestLogger()
  const orders = memoryOrderRepository<Order>([])
  const paid = new Map<string, number>()
  const paidAtMs = new Map<string, number>()
  const payments = createPayments({
    orders,
    inbox: memoryInbox(),
    wallets: [shop.address.toRawString()],
    onPaid: ({ order: { reference } }) => {
      paid.set(reference, (paid.get(reference) ?? 0) + 1)
      paidAtMs.set(reference, performance.now())
    },
    logger,
  })
  const stream = createStream({ baseUrl: chain.url, logger })
  const watcher = createPaymentWatcher({
    payments,
    v3: createV3Client({ baseUrl: chain.url, rps: Infinity }),
    maxIntervalMs: watching.maxIntervalMs,
    ...(watching.isStreaming && { stream }),
  })
  onTestFinished(async () => {
    await watcher.close()
    await payments.close()
    stream.close()
    await chain.close()
  })
  const addOrder = (reference: string): void =>
    orders.add({
      reference,
      rawAmount: toNano('0.01'),
      asset: 'TON',
      status: 'pending',
      createdAt: new Date(),
    })
  const messageOf = (reference: string, value = toNano('0.01')) =>
    internal({ to: shop.address, value, bounce: false, body: comment(reference) })
  const server = chain.streamServer
  return { chain, server, buyer, watcher, stream, paid, paidAtMs, addOrder, messageOf }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}

it(
  `S103 loses none of ${PAYMENTS} payments while the stream drops, repeats and reorders`,
  { timeout: 600_000 + PAYMENTS * 100 },
  async () => {
    const shop = await openShop({ maxIntervalMs: 2000, isStreaming: true })
    const { server, watcher, paid } = shop
    const random = createRandom(22)
    let dropped = 0
    let faults = 0
    let disconnects = 0
    server.faults.drops = () => {
      const isDropped = random() < 0.2
      if (isDropped) dropped++
      return isDropped
    }
    watcher.start()
    await expect.poll(() => shop.stream.health().state).toBe('connected')
    const startedMs = performance.now()
    const expected = new Set<string>()
    /** Shows whether the cost of a payment depends on the number of payments before it. */
    const tenths: number[] = []
    let tenthMs = startedMs
    let sent = 0
    while (sent < PAYMENTS) {
      const round = Array.from(
        { length: Math.min(ORDERS_PER_ROUND, PAYMENTS - sent) },
        (_, number) => `order-${sent + number}`,
      )
      for (const reference of round) shop.addOrder(reference)
      for (let start = 0; start < round.length; start += PER_MESSAGE) {
        const part = round.slice(start, start + PER_MESSAGE)
        // The first payment of each message is too small.
        const messages = part.map((reference, number) =>
          shop.messageOf(reference, toNano(number === 0 ? '0.009' : '0.01')),
        )
        for (const reference of part.slice(1)) expected.add(reference)
        if ((sent + start) % (PER_MESSAGE * FAULT_EVERY) === 0) {
          faults++
          // More often, the stream would wait a minute before it connects again, and the watcher would only poll.
          if (random() < 0.1) {
            disconnects += server.connections
            server.disconnect()
          }
          server.faults.isReversed = random() < 0.5
          server.faults.repeats = random() < 0.5 ? 1 : 3
          server.faults.dropAfter = random() < 0.3 ? 2 : Infinity
        }
        await shop.buyer.send(messages)
      }
      sent += round.length
      await expect.poll(() => paid.size, { timeout: 300_000 }).toBe(expected.size)
      if (sent < (PAYMENTS / 10) * (tenths.length + 1)) continue
      tenths.push(Math.round((performance.now() - tenthMs) / 1000))
      tenthMs = performance.now()
    }
    const seconds = (performance.now() - startedMs) / 1000
    console.log(
      `${PAYMENTS} payments in ${seconds.toFixed(0)} s: ${dropped} events dropped, ${faults} faults, ${disconnects} disconnects, seconds per tenth: ${tenths.join(' ')}`,
    )
    expect([...paid.keys()].toSorted()).toEqual([...expected].toSorted())
    expect(new Set(paid.values())).toEqual(new Set([1]))
    expect(dropped).toBeGreaterThan(PAYMENTS / 100)
  },
)

it('completes orders by the stream long before the next run, and reports how long after their final blocks', async () => {
  const shop = await openShop({ maxIntervalMs: 3_600_000, isStreaming: true })
  shop.watcher.start()
  await expect.poll(() => shop.stream.health().state).toBe('connected')
  const latencies: number[] = []
  let finalAtMs = 0
  shop.chain.onBlock(() => {
    finalAtMs = performance.now()
  })
  for (let number = 0; number < LATENCIES; number++) {
    const reference = `order-${number}`
    shop.addOrder(reference)
    await shop.buyer.send([shop.messageOf(reference)])
    await expect.poll(() => shop.paidAtMs.has(reference), { interval: 1 }).toBe(true)
    latencies.push((shop.paidAtMs.get(reference) ?? NaN) - finalAtMs)
  }
  console.log(`final block to onPaid with a stream: p50 ${median(latencies).toFixed(0)} ms`)
})
