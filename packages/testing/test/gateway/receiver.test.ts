import {
  createPayments,
  createWebhookReceiver,
  memoryOrderRepository,
  type PaidTransfer,
} from '@tonplug/core'
import {
  createMockGateway,
  createFakeClock,
  createTestLogger,
  transferCompleted,
} from '@tonplug/testing'
import { afterEach, expect, it } from 'vitest'
import type { Listening } from '@tonplug/test-support/listen'
import { serveNode } from '../node-server.js'

const SECRET = 'whsec_story'

let server: Listening | undefined
afterEach(() => server?.close())

async function openShop() {
  const clock = createFakeClock()
  const paid: PaidTransfer[] = []
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  const hangingOnce = { ...orders, find: hangOnce(orders.find.bind(orders)) }
  const payments = createPayments({
    orders: hangingOnce,
    onPaid: (transfer) => void paid.push(transfer),
    clock,
    logger: createTestLogger(),
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  server = await serveNode(receiver)
  const gateway = createMockGateway({ url: server.url, secret: SECRET, clock })
  return { clock, gateway, paid, orders }
}

/** A database that does not respond to its first query. */
function hangOnce<Argument, Result>(
  query: (argument: Argument) => Promise<Result>,
): (argument: Argument) => Promise<Result> {
  let count = 0
  return (argument) => (count++ === 0 ? new Promise(() => undefined) : query(argument))
}

it('S44 S51 a delivery that timed out at a hanging database is paid by the retry', async () => {
  const { clock, gateway, paid, orders } = await openShop()
  const startMs = clock.nowMs()
  const delivery = gateway.deliver(transferCompleted())
  await clock.waitForTimer(({ delayMs }) => delayMs === 8000)
  await clock.advance(8000)
  await clock.waitForTimer(({ delayMs }) => delayMs === 1000)
  await clock.advance(1000)
  const { isDelivered, attempts } = await delivery
  expect(isDelivered).toBe(true)
  expect(attempts.map(({ status, body }) => [status, body])).toEqual([
    [503, '{"ok":false}'],
    [200, '{"ok":true}'],
  ])
  expect(attempts.map(({ atMs }) => atMs - startMs)).toEqual([0, 9000])
  await clock.advance(0)
  expect(paid).toHaveLength(1)
  expect((await orders.find({ reference: 'order-1' }))?.status).toBe('completed')
})

it('S2 S10 a delivery with an invalid signature is refused four times', async () => {
  const { clock, gateway, orders } = await openShop()
  for (const unusual of [{ corrupt: true }, { secret: 'whsec_of_somebody_else' }]) {
    const delivery = gateway.deliver(transferCompleted(), unusual)
    for (const delay of [1000, 5000, 15_000]) {
      await clock.waitForTimer(({ delayMs }) => delayMs === delay)
      await clock.advance(delay)
    }
    const { isDelivered, attempts } = await delivery
    expect(isDelivered).toBe(false)
    expect(attempts.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  }
  expect((await orders.find({ reference: 'order-1' }))?.status).toBe('pending')
})
