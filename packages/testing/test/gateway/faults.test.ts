import {
  createPayments,
  createWebhookReceiver,
  memoryOrderRepository,
  type WebhookReceiver,
} from '@tonplug/core'
import {
  createMockGateway,
  createFakeClock,
  type DeliverOptions,
  type DeliveryAttempt,
  type DeliveryReport,
  type MockGateway,
  type FakeClock,
  type PendingTimer,
  createTestLogger,
} from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveNode } from '../node-server.js'

const SECRET = 'whsec_faults'
const RETRY_DELAYS_MS = [1000, 5000, 15_000]

interface Shop {
  clock: FakeClock
  gateway: MockGateway
  receiver: WebhookReceiver
  /** The kinds of the decisions so far, in order. */
  decisions: string[]
  paid: string[]
  status: () => Promise<string | undefined>
}

/** A running receiver with one order of 10.5 TON, and a gateway with its transfer. */
async function openShop(): Promise<Shop> {
  const clock = createFakeClock()
  const orders = memoryOrderRepository([
    { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
  ])
  const paid: string[] = []
  const payments = createPayments({
    orders,
    onPaid: ({ payment }) => void paid.push(payment.txHash),
    clock,
    logger: createTestLogger(),
  })
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const decisions: string[] = []
  payments.onDecision(({ decision }) => decisions.push(decision.kind))
  const server = await serveNode(receiver)
  const gateway = createMockGateway({ url: server.url, secret: SECRET, clock })
  gateway.createTransfer({ reference: 'order-1', rawAmount: 10_500_000_000n })
  onTestFinished(async () => {
    await gateway.close()
    await receiver.close()
    await payments.close()
    await server.close()
  })
  const status = async () => (await orders.find({ reference: 'order-1' }))?.status
  return { clock, gateway, receiver, decisions, paid, status }
}

/** Advances the clock to each retry until a delivery has ended. The shop has timers of the same delays. */
async function runToEnd(
  { clock, gateway }: Pick<Shop, 'clock' | 'gateway'>,
  delivery: Promise<DeliveryReport>,
): Promise<DeliveryReport> {
  const isRetry = (timer: PendingTimer): boolean =>
    gateway.log().some(({ attempt, atMs, durationMs }) => {
      const delayMs = RETRY_DELAYS_MS[attempt - 1]
      return timer.delayMs === delayMs && timer.dueMs === atMs + durationMs + delayMs
    })
  let isOver = false
  const end = delivery.finally(() => (isOver = true))
  const watch = async (): Promise<void> => {
    while (!isOver) {
      const next = clock.pendingTimers().find(isRetry)
      if (next === undefined) await clock.advance(0)
      else await clock.advance(next.dueMs - clock.nowMs())
    }
  }
  await Promise.all([end, watch()])
  return end
}

const statusesOf = (attempts: readonly DeliveryAttempt[]) => attempts.map(({ status }) => status)

describe('a fault of the gateway', () => {
  it('S38 sends concurrent duplicates: one transition, all acknowledged', async () => {
    const { clock, gateway, decisions, paid } = await openShop()
    const { isDelivered, attempts } = await gateway.pay('order-1', { delivery: { times: 50 } })
    expect(isDelivered).toBe(true)
    expect(statusesOf(attempts)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(decisions.toSorted()).toEqual([...Array.from({ length: 49 }, () => 'duplicate'), 'paid'])
    await clock.advance(0)
    expect(paid).toHaveLength(1)
  })
  it('S11 S26 sends a duplicate an hour later: acknowledged, without effect', async () => {
    const { clock, gateway, decisions, paid } = await openShop()
    await gateway.pay('order-1')
    await clock.advance(3_600_000)
    const { attempts } = await gateway.resend('order-1')
    expect(statusesOf(attempts)).toEqual([200])
    const bodies = gateway.log().map(({ sent }) => Buffer.from(sent.body).toString())
    expect(bodies[1]).toBe(bodies[0])
    expect(decisions).toEqual(['paid', 'duplicate'])
    expect(paid).toHaveLength(1)
  })
  it('S46 loses a response: the retry is a duplicate', async () => {
    const { clock, gateway, decisions, paid } = await openShop()
    const delivery = gateway.pay('order-1', { delivery: { dropResponse: true, faultyAttempts: 1 } })
    const { isDelivered, attempts } = await runToEnd({ clock, gateway }, delivery)
    expect(isDelivered).toBe(true)
    expect(statusesOf(attempts)).toEqual([undefined, 200])
    expect(decisions).toEqual(['paid', 'duplicate'])
    expect(paid).toHaveLength(1)
  })
  it('S29 releases a success ahead of a failure, which changes nothing', async () => {
    const { gateway, decisions, status } = await openShop()
    const held = gateway.hold()
    const reports = [gateway.fail('order-1'), gateway.pay('order-1')]
    expect(held.count).toBe(2)
    expect(gateway.log()).toEqual([])
    await held.release('backwards')
    expect((await Promise.all(reports)).map(({ isDelivered }) => isDelivered)).toEqual([true, true])
    expect(decisions).toEqual(['paid', 'duplicate'])
    expect(await status()).toBe('completed')
    expect(held.count).toBe(0)
    expect((await gateway.resend('order-1')).isDelivered).toBe(true)
  })
  it('S29 releases a failure ahead of a success: the order is paid', async () => {
    const { gateway, decisions, status } = await openShop()
    const held = gateway.hold()
    const reports = [gateway.fail('order-1'), gateway.pay('order-1')]
    await held.release()
    await Promise.all(reports)
    expect(decisions).toEqual(['failed', 'paid'])
    expect(await status()).toBe('completed')
  })
  it('delays a delivery: nothing is sent before the delay has passed', async () => {
    const { clock, gateway, status } = await openShop()
    const startMs = clock.nowMs()
    const delivery = gateway.pay('order-1', { delivery: { delayMs: 60_000 } })
    await clock.waitForTimer(({ delayMs }) => delayMs === 60_000)
    await clock.advance(59_999)
    expect([await status(), gateway.log()]).toEqual(['pending', []])
    await clock.advance(1)
    expect((await delivery).attempts.map(({ atMs }) => atMs - startMs)).toEqual([60_000])
    expect(await status()).toBe('completed')
  })
  it('S49 drops a delivery: the retries end after 61 s, and the order stays open', async () => {
    const { clock, gateway, receiver, status } = await openShop()
    const startMs = clock.nowMs()
    const delivery = gateway.pay('order-1', { delivery: { drop: true } })
    for (const pauseMs of [0, ...RETRY_DELAYS_MS]) {
      if (pauseMs > 0) {
        await clock.waitForTimer(({ delayMs }) => delayMs === pauseMs)
        await clock.advance(pauseMs)
      }
      await clock.waitForTimer(({ delayMs }) => delayMs === 10_000)
      await clock.advance(10_000)
    }
    const { isDelivered, attempts } = await delivery
    expect(isDelivered).toBe(false)
    expect(attempts.map(({ atMs }) => atMs - startMs)).toEqual([0, 11_000, 26_000, 51_000])
    expect(attempts.map(({ error }) => error)).toMatchObject(
      Array.from({ length: 4 }, () => ({ name: 'TimeoutError' })),
    )
    expect(clock.nowMs() - startMs).toBe(61_000)
    expect(Object.values(receiver.stats()).every((count) => count === 0)).toBe(true)
    // The call of a reconciliation job.
    expect([await status(), gateway.transfer('order-1').status]).toEqual(['pending', 'success'])
  })
  it.each<[string, DeliverOptions, number]>([
    ['corrupted', { corrupt: true }, 401],
    ['truncated', { truncate: true }, 401],
    ['truncated and corrupted', { truncate: true, corrupt: true }, 401],
    ['signed with the wrong secret', { secret: 'whsec_of_somebody_else' }, 401],
  ])('S2 S10 is refused four times, and nothing is stored: %s', async (_, delivery, refusal) => {
    const { clock, gateway, decisions, receiver, status } = await openShop()
    const { isDelivered, attempts } = await runToEnd(
      { clock, gateway },
      gateway.pay('order-1', { delivery }),
    )
    expect(isDelivered).toBe(false)
    expect(statusesOf(attempts)).toEqual([refusal, refusal, refusal, refusal])
    expect(decisions).toEqual([])
    expect(receiver.stats()).toMatchObject({ invalid_signature: 4 })
    expect(await status()).toBe('pending')
  })
  it.each<[string, DeliverOptions]>([
    ['corrupted', { corrupt: true }],
    ['truncated', { truncate: true }],
    ['signed with the wrong secret', { secret: 'whsec_of_somebody_else' }],
  ])('S2 is repaired by the retry when it was %s once', async (_, fault) => {
    const { clock, gateway, decisions } = await openShop()
    const delivery = gateway.pay('order-1', { delivery: { ...fault, faultyAttempts: 1 } })
    expect(statusesOf((await runToEnd({ clock, gateway }, delivery)).attempts)).toEqual([401, 200])
    expect(decisions).toEqual(['paid'])
  })
  it('S15 sends half of a payload with a valid signature, which is not JSON: 400', async () => {
    const { clock, gateway, decisions } = await openShop()
    const delivery = gateway.deliver('{"event":"transfer.completed","data":{"refer')
    expect(statusesOf((await runToEnd({ clock, gateway }, delivery)).attempts)).toEqual([
      400, 400, 400, 400,
    ])
    expect(decisions).toEqual([])
  })
  it('slows a delivery within the deadline: paid by the first attempt', async () => {
    const { clock, gateway, decisions } = await openShop()
    const delivery = gateway.pay('order-1', { delivery: { slowMs: 7000 } })
    // The receiver has read the first half.
    await clock.waitForTimer(({ delayMs }) => delayMs === 8000)
    await clock.advance(7000)
    const { attempts } = await delivery
    expect(attempts).toMatchObject([{ status: 200, durationMs: 7000 }])
    expect(decisions).toEqual(['paid'])
    expect(clock.pendingTimers().filter(({ delayMs }) => delayMs === 7000)).toEqual([])
  })
  it('S20 slows a delivery beyond the deadline: refused, and the retry is paid', async () => {
    const { clock, gateway, decisions } = await openShop()
    const delivery = gateway.pay('order-1', { delivery: { slowMs: 9000, faultyAttempts: 1 } })
    await clock.waitForTimer(({ delayMs }) => delayMs === 8000)
    await clock.advance(8000)
    const { attempts } = await runToEnd({ clock, gateway }, delivery)
    expect(attempts).toMatchObject([{ status: 408, durationMs: 8000 }, { status: 200 }])
    expect(decisions).toEqual(['paid'])
    expect(clock.pendingTimers().filter(({ delayMs }) => delayMs === 9000)).toEqual([])
  })
  it('S40 pays a transfer twice: the second payment is an extra payment', async () => {
    const { gateway, decisions, paid } = await openShop()
    await gateway.pay('order-1')
    await gateway.pay('order-1')
    expect(decisions).toEqual(['paid', 'extra_payment'])
    expect(gateway.transfer('order-1').txHash).toBe(paid[0])
  })
  it('S31 pays half: an amount mismatch', async () => {
    const { gateway, decisions, status } = await openShop()
    await gateway.pay('order-1', { rawAmount: 5_250_000_000n })
    expect(decisions).toEqual(['amount_mismatch'])
    expect(await status()).toBe('pending')
    await gateway.pay('order-1')
    expect(decisions).toEqual(['amount_mismatch', 'paid'])
  })
  it('S33 S34 pays in another asset: an asset mismatch', async () => {
    const { gateway, decisions } = await openShop()
    const asset = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
    await gateway.pay('order-1', { asset })
    expect(decisions).toEqual(['asset_mismatch'])
  })
})

describe('invalid options', () => {
  it.each<[DeliverOptions, string]>([
    [{ times: 0 }, 'times is 0'],
    [{ times: 1.5 }, 'times is 1.5'],
    [{ delayMs: -1 }, 'delayMs is -1'],
    [{ slowMs: Number.NaN }, 'slowMs is NaN'],
    [{ faultyAttempts: -1 }, 'faultyAttempts is -1'],
  ])('are rejected: %o', async (options, named) => {
    const { gateway } = await openShop()
    await expect(gateway.deliver('{}', options)).rejects.toThrow(named)
    expect(gateway.log()).toEqual([])
  })
})
