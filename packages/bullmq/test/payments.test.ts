import {
  createPayments,
  createWebhookReceiver,
  handlerTaskKey,
  memoryOrderRepository,
  type HandlerContext,
} from '@tonplug/core'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openQueue, testPrefix } from './queues.js'
import { hasRedis, NEEDS_REDIS } from '@tonplug/test-support/redis'

const SECRET = 'whsec_bullmq_test'

describe.skipIf(!hasRedis)(`Payments with BullMQ on ${NEEDS_REDIS}`, () => {
  it('runs each handler as a job, also one that is added after the start, and retries it', async () => {
    const runs: [string, HandlerContext][] = []
    const payments = createPayments({
      orders: memoryOrderRepository([
        { reference: 'order-1', rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' },
      ]),
      queue: openQueue({ prefix: testPrefix() }),
      handlerRetry: { minDelayMs: 10 },
      logger: createTestLogger(),
      onPaid: ({ order }, context) => void runs.push([order.reference, context]),
    })
    onTestFinished(() => payments.close())
    payments.addHandler(
      'onPaid',
      ({ order }, context) => {
        runs.push([`${order.reference}, added`, context])
        if (context.attempt === 1) throw new Error('no carrier')
      },
      { name: 'ship' },
    )
    const receiver = createWebhookReceiver({ payments, secrets: SECRET })
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    expect((await receiver.receive({ headers, rawBody: body })).status).toBe(200)
    const { txHash } = transferCompleted().data
    const keyOf = (handler: string): string =>
      handlerTaskKey(handler, { name: 'default', merchant: '', reference: 'order-1', txHash })
    await expect.poll(() => runs).toHaveLength(3)
    expect(runs).toEqual(
      expect.arrayContaining([
        ['order-1', expect.objectContaining({ attempt: 1, idempotencyKey: keyOf('onPaid') })],
        [
          'order-1, added',
          expect.objectContaining({ attempt: 1, idempotencyKey: keyOf('onPaid.ship') }),
        ],
        [
          'order-1, added',
          expect.objectContaining({ attempt: 2, idempotencyKey: keyOf('onPaid.ship') }),
        ],
      ]),
    )
  })
})
