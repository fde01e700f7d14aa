import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'

const { TEST_REDIS_URL, REDIS_URL } = process.env
const isDemanded = (TEST_REDIS_URL ?? REDIS_URL) !== undefined
const url = TEST_REDIS_URL ?? REDIS_URL ?? 'redis://127.0.0.1:6379'

/** For `Queue` and `Worker`. */
export const redisConnection = { url }

/** Whether Redis answers. Where a URL was given it has to, and the tests fail if it does not. */
export const hasRedis = isDemanded || (await answers())

/** For titles: why tests are skipped. */
export const NEEDS_REDIS = hasRedis ? 'Redis' : 'Redis (skipped: none answers; set TEST_REDIS_URL)'

/** Keys of one test, apart from all others. */
export function newPrefix(): string {
  return `tonplug-test-${randomUUID()}`
}

/** Deletes every key with the prefix. */
export async function emptyRedis(prefix: string): Promise<void> {
  const redis = new Redis(url)
  try {
    const keys = await redis.keys(`${prefix}:*`)
    if (keys.length > 0) await redis.del(keys)
  } finally {
    redis.disconnect()
  }
}

async function answers(): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return true
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}
