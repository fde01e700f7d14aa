import { Redis } from 'ioredis'

const { TEST_REDIS_URL, REDIS_URL } = process.env
const isDemanded = (TEST_REDIS_URL ?? REDIS_URL) !== undefined

/** The Redis of the tests. */
export const redisUrl = TEST_REDIS_URL ?? REDIS_URL ?? 'redis://127.0.0.1:6379'

/** True when Redis responds, and when a URL was set: the tests then fail without it. */
export const hasRedis = isDemanded || (await isReachable())

/** For titles: the reason why tests are skipped. */
export const NEEDS_REDIS = hasRedis
  ? 'Redis'
  : 'Redis (skipped: it does not respond; set TEST_REDIS_URL)'

async function isReachable(): Promise<boolean> {
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
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
