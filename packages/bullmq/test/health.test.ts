import {
  createPayments,
  createWebhookReceiver,
  memoryOrderRepository,
  type Payments,
  type PaymentsOptions,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTestLogger, signPayload, transferCompleted } from '@tonplug/testing'
import { freePort } from '@tonplug/test-support/free-port'
import { hasRedis, NEEDS_REDIS } from '@tonplug/test-support/redis'
import { Queue } from 'bullmq'
import { describe, expect, it, onTestFinished } from 'vitest'
import { canStartRedis, NEEDS_OWN_REDIS, startRedis } from './own-redis.js'
import { openQueue, testPrefix } from './queues.js'
import { emptyRedis, redisConnection } from './redis.js'

const SECRET = 'whsec_bullmq_test'
const QUEUE = 'tonplug-onPaid@default'

describe.skipIf(!hasRedis)(`the health of Payments with BullMQ on ${NEEDS_REDIS}`, () => {
  it('S111 is up while a worker runs, and counts no job that has finished', async () => {
    const { payments, pay } = openShop({ queue: openQueue({ prefix: testPrefix() }) })
    await pay()
    await expect.poll(() => progress(payments)).toEqual(['done'])
    await expect.poll(() => payments.health()).toMatchObject({ status: 'up', relayed: 0 })
  })

  it('S111 is degraded after Redis was emptied, and retry hands the task over once', async () => {
    const prefix = testPrefix()
    const keys: string[] = []
    const { payments, pay } = openShop({
      queue: openQueue({ prefix }),
      onPaid: (_, { idempotencyKey }) => void keys.push(idempotencyKey),
    })
    const inspected = inspect(prefix)
    await inspected.pause()
    await pay()
    await expect.poll(() => progress(payments)).toEqual(['relayed'])
    const [before] = await tasksOf(payments)
    expect(before?.relayedAtMs).toBeGreaterThan(Date.now() - 60_000)
    await emptyRedis(prefix)
    await expect
      .poll(() => payments.health())
      .toMatchObject({
        status: 'degraded',
        relayed: 1,
        message: expect.stringContaining('Redis has lost 1 jobs'),
      })
    const [report] = (await createOperator({ payments }).list()).map(({ reportId }) => reportId)
    const retries = await Promise.all([retry(payments, report), retry(payments, report)])
    expect(retries).toContain(0)
    expect(retries).toContain(1)
    await expect.poll(() => progress(payments)).toEqual(['done'])
    expect(keys).toEqual([before?.idempotencyKey])
    expect(await payments.health()).toMatchObject({ status: 'up', relayed: 0 })
    expect(await retry(payments, report)).toBe(0)
  })

  it('S111 keeps one job when a task is retried that BullMQ still has', async () => {
    const prefix = testPrefix()
    let runs = 0
    const { payments, pay } = openShop({
      queue: openQueue({ prefix }),
      onPaid: () => void runs++,
    })
    const inspected = inspect(prefix)
    await inspected.pause()
    await pay()
    await expect.poll(() => progress(payments)).toEqual(['relayed'])
    expect(await payments.health()).toMatchObject({
      status: 'degraded',
      message: `the queue ${QUEUE} is paused`,
    })
    const [report] = (await createOperator({ payments }).list()).map(({ reportId }) => reportId)
    expect(await retry(payments, report)).toBe(1)
    await expect.poll(() => progress(payments)).toEqual(['relayed'])
    await inspected.resume()
    await expect.poll(() => progress(payments)).toEqual(['done'])
    expect(runs).toBe(1)
  })

  it('S111 runs a job again that has failed for the last time and is retried', async () => {
    const prefix = testPrefix()
    let isBroken = true
    const { payments, pay } = openShop({
      queue: openQueue({ prefix }),
      handlerRetry: { maxAttempts: 2, minDelayMs: 10 },
      onPaid: () => {
        if (isBroken) throw new Error('no carrier')
      },
    })
    await pay()
    await expect.poll(() => progress(payments)).toEqual(['dead'])
    expect(await payments.health()).toMatchObject({ status: 'up', dead: 1, relayed: 0 })
    await expect.poll(() => inspect(prefix).getFailedCount()).toBe(1)
    isBroken = false
    const [report] = (await createOperator({ payments }).list()).map(({ reportId }) => reportId)
    expect(await retry(payments, report)).toBe(1)
    await expect.poll(() => progress(payments)).toEqual(['done'])
  })

  it('S111 does not run a completed job again that was not recorded, and records it', async () => {
    const prefix = testPrefix()
    let runs = 0
    const { payments, pay } = openShop({ queue: openQueue({ prefix }), onPaid: () => void runs++ })
    const { inbox } = payments.internals
    const finish = inbox.tasks.finishRelayed.bind(inbox)
    await pay()
    await expect.poll(() => progress(payments)).toEqual(['done'])
    await expect.poll(() => inspect(prefix).getCompletedCount()).toBe(1)
    const task = { name: 'default', merchant: '', handler: 'onPaid', reference: 'order-1' }
    const [recorded] = await tasksOf(payments)
    const { idempotencyKey, reportId } = recorded ?? { idempotencyKey: '', reportId: '' }
    const { txHash } = transferCompleted().data
    const again = openQueue({ prefix })
    const queued = { ...task, idempotencyKey, reportId, txHash }
    const attempts = { maxAttempts: 2, minDelayMs: 10, maxDelayMs: 10 }
    expect(await again.addAgain?.(queued, attempts)).toBe('done')
    expect(await finish({ name: 'default', idempotencyKey, outcome: { kind: 'done' } })).toBe(false)
    expect(runs).toBe(1)
  })

  it('S111 is degraded while no process has a worker for a task', async () => {
    const prefix = testPrefix()
    const { payments, pay } = openShop({ queue: openQueue({ prefix }) })
    await pay()
    await expect.poll(() => progress(payments)).toEqual(['done'])
    const cron = openShop({
      queue: openQueue({ prefix }),
      onPaid: undefined,
      inbox: payments.internals.inbox,
    })
    await payments.close()
    await cron.pay('order-2', 'b'.repeat(64))
    await expect
      .poll(async () => (await cron.payments.health()).message)
      .toBe(`the queue ${QUEUE} has no worker in any process`)
  })

  it('S111 is degraded while Redis cannot be reached', async () => {
    const connection = { host: '127.0.0.1', port: await freePort() }
    const { payments } = openShop({ queue: openQueue({ connection }) })
    expect(await payments.health({ timeoutMs: 500 })).toMatchObject({
      status: 'degraded',
      message: 'the queue did not respond within 500 ms',
    })
  })

  it('S111 is degraded when BullMQ holds a task for longer than the limit', async () => {
    const { payments, pay } = openShop({
      queue: openQueue({ prefix: testPrefix() }),
      handlerRetry: { minDelayMs: 60_000 },
      onPaid: () => {
        throw new Error('no carrier')
      },
    })
    await pay()
    await expect.poll(() => progress(payments)).toEqual(['relayed'])
    await expect.poll(() => payments.health()).toMatchObject({ status: 'up', relayed: 1 })
    await expect
      .poll(() => payments.health({ maxQueuedMs: 1 }))
      .toMatchObject({
        status: 'degraded',
        message: expect.stringContaining('more than 1 ms'),
      })
  })
})

describe.skipIf(!canStartRedis)(`the health of Payments with BullMQ on ${NEEDS_OWN_REDIS}`, () => {
  it('S111 is degraded while Redis may evict jobs', async () => {
    const connection = await startRedis('--maxmemory-policy', 'allkeys-lru')
    const { payments } = openShop({ queue: openQueue({ connection }) })
    await expect
      .poll(async () => (await payments.health()).message)
      .toBe('Redis may delete jobs: its maxmemory-policy is allkeys-lru. Set it to noeviction')
  })

  it('S111 is degraded on a read-only replica', async () => {
    const primary = await startRedis()
    const connection = await startRedis('--replicaof', '127.0.0.1', String(primary.port))
    const { payments, pay } = openShop({ queue: openQueue({ connection }) })
    await expect
      .poll(() => payments.health())
      .toMatchObject({
        status: 'degraded',
        message: 'Redis is a read-only replica. Connect to the primary server',
      })
    await pay()
    await expect.poll(() => payments.health()).toMatchObject({ status: 'degraded', open: 1 })
  })
})

/** Opens Payments with two orders; closed after the test. */
function openShop(options: Partial<PaymentsOptions>) {
  const paid = { rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' } as const
  const payments = createPayments({
    orders: memoryOrderRepository([
      { reference: 'order-1', ...paid },
      { reference: 'order-2', ...paid },
    ]),
    logger: createTestLogger(),
    onPaid: () => undefined,
    ...options,
  })
  onTestFinished(() => payments.close())
  const receiver = createWebhookReceiver({ payments, secrets: SECRET })
  const pay = async (reference = 'order-1', txHash?: string): Promise<void> => {
    const payload = transferCompleted({ reference, ...(txHash !== undefined && { txHash }) })
    const { body, headers } = signPayload(payload, SECRET)
    expect((await receiver.receive({ headers, rawBody: body })).status).toBe(200)
  }
  return { payments, pay }
}

function retry(payments: Payments, reportId = ''): Promise<number> {
  return createOperator({ payments }).retry({ reportId }, { by: 'ann' })
}

async function tasksOf(payments: Payments) {
  const reportIds = (await createOperator({ payments }).list()).map(({ reportId }) => reportId)
  return payments.internals.inbox.tasks.list({ reportIds })
}

async function progress(payments: Payments): Promise<string[]> {
  return (await tasksOf(payments)).map(({ state }) => state)
}

function inspect(prefix: string): Queue {
  const queue = new Queue(QUEUE, { connection: redisConnection, prefix })
  onTestFinished(() => queue.close())
  return queue
}
