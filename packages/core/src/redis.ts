export type { Clock, TimerOptions } from './shared/clock.js'
export type { RateLimiter, SlotRequest } from './toncenter/transport/rate-limiter.js'
export type { Priority } from './toncenter/transport/call-options.js'
export {
  createRedisRateLimiter,
  type RedisRateLimiterOptions,
  type RedisEval,
} from './toncenter/transport/redis-limiter.js'
