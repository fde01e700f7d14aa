// A process that makes thirty calls over a limit that it shares through Redis.
import { createRedisRateLimiter } from '@tonplug/core/redis'
import { createTransport } from '@tonplug/core/toncenter'
import { Redis } from 'ioredis'

const [urlOfRedis, baseUrl, limitName, processName] = process.argv.slice(2)
const redis = new Redis(urlOfRedis)
const limiter = createRedisRateLimiter({ redis, rps: 20, name: limitName })
const transport = createTransport({ baseUrl, limiter })
const calls = Array.from({ length: 30 }, (_, index) =>
  transport.request({
    api: 'v2',
    endpoint: processName,
    method: 'GET',
    path: `/${processName}/${index}`,
    isRead: true,
    classify: ({ json }) => ({ kind: 'ok', value: json }),
  }),
)
await Promise.all(calls)
redis.disconnect()
