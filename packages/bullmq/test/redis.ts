import { randomUUID } from 'node:crypto'
import { redisUrl } from '@tonplug/test-support/redis'
import { Redis } from 'ioredis'

/** Options of `Queue` and `Worker`. */
export const redisConnection = { url: redisUrl }

/** Returns a prefix for the keys of one test. */
export function newPrefix(): string {
  return `tonplug-test-${randomUUID()}`
}

/** Deletes every key with the prefix. */
export async function emptyRedis(prefix: string): Promise<void> {
  const redis = new Redis(redisUrl)
  try {
    const keys = await redis.keys(`${prefix}:*`)
    if (keys.length > 0) await redis.del(keys)
  } finally {
    redis.disconnect()
  }
}
