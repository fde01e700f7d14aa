import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { bullmqJobQueue } from '@tonplug/bullmq'
import { Redis } from 'ioredis'

const { REDIS_URL } = process.env
const url = REDIS_URL ?? 'redis://127.0.0.1:6379'
void main()

async function main(): Promise<void> {
  if (!(await answers())) {
    assert.equal(REDIS_URL, undefined, 'no Redis answers at REDIS_URL')
    console.log('skipped: wake-ups through BullMQ, since no Redis answers; set REDIS_URL')
    return
  }
  const prefix = `tonplug-test-${randomUUID()}`
  const jobs = bullmqJobQueue({ connection: { url }, prefix })
  assert.equal(jobs.name, 'bullmq')
  let wake: () => void = () => undefined
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  const subscription = await jobs.listen({
    receiver: 'default',
    onWake: async () => wake(),
    onSweep: async () => undefined,
    sweepEveryMs: 60_000,
  })
  await jobs.wake({ receiver: 'default', delayMs: 0 })
  await woken
  await subscription.stop()
  await jobs.close()
  await empty(prefix)
}

async function answers(): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => undefined)
  const isConnected = await redis.connect().then(
    () => true,
    () => false,
  )
  redis.disconnect()
  return isConnected
}

async function empty(prefix: string): Promise<void> {
  const redis = new Redis(url)
  await redis.del(await redis.keys(`${prefix}:*`))
  redis.disconnect()
}
