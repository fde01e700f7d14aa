import { ConfigurationError } from '../errors/configuration.js'
import type { Clock } from '../runtime/clock.js'
import { startTimer } from './abort.js'
import { callClock } from './call-clock.js'
import type { RateLimiter } from './limiter.js'
import { createWaitingLine, type WaitingLine } from './waiting-line.js'
import { windowSize } from './window.js'

/** As much of a Redis client as is used. A client of ioredis fits; others take one line, see the example. */
export interface RedisEval {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>
}

/** What a shared limiter is made from. */
export interface RedisRateLimiterOptions {
  /** A connected client; it stays the caller's to close. */
  redis: RedisEval
  /** Requests in any one second, over all processes that use the same `name`. */
  rps: number
  /** Which limit: one for each network and key. Never the key itself. @default 'default' */
  name?: string | undefined
  /** For the waits; the window itself runs on the time of the Redis server. @default the clock of the transports */
  clock?: Clock | undefined
}

// The list holds the times of the last starts, newest first, microseconds. Redis 5 or later.
// Answers how many milliseconds to wait, 0 when the request may go and is counted.
const ACQUIRE = `
local paused = redis.call('PTTL', KEYS[2])
if paused > 0 then return paused end
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local capacity, duration = tonumber(ARGV[1]), tonumber(ARGV[2])
local oldest = redis.call('LINDEX', KEYS[1], capacity - 1)
if oldest then
  local wait = oldest + duration - now
  if wait > duration then wait = duration end
  if wait > 0 then return math.ceil(wait / 1000) end
end
redis.call('LPUSH', KEYS[1], string.format('%.0f', now))
redis.call('LTRIM', KEYS[1], 0, capacity - 1)
redis.call('PEXPIRE', KEYS[1], math.ceil(duration / 1000))
return 0`

const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
end
return 0`

/**
 * A limiter that several processes share through Redis. Priorities hold within each process. When Redis fails,
 * the calls fail: sending uncounted would cost everybody the key's limit.
 * @throws {ConfigurationError} when `rps` is not above 0, or not finite.
 * @example
 * ```ts
 * import { createRedisRateLimiter } from '@tonplug/core'
 *
 * declare const redis: { eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> }
 *
 * // A client of the package `redis` takes its keys and arguments by name:
 * const limiter = createRedisRateLimiter({
 *   rps: 10,
 *   redis: {
 *     eval: (script, count, ...rest) =>
 *       redis.eval(script, { keys: rest.slice(0, count), arguments: rest.slice(count) }),
 *   },
 * })
 * ```
 */
export function createRedisRateLimiter(options: RedisRateLimiterOptions): RateLimiter {
  const { redis, rps, name = 'default' } = options
  const { capacity, durationMs } = windowSize(rps)
  if (capacity === Infinity) {
    throw new ConfigurationError({ option: 'rps', problem: 'is no number that could be shared' })
  }
  // The braces keep both keys on one node of a cluster.
  const prefix = `tonplug:{rate:${name}}`
  const keys = [`${prefix}:starts`, `${prefix}:pause`] as const
  const size = [String(capacity), String(durationMs * 1000)]
  const admission = createAdmission(options.clock ?? callClock, async () => {
    const waitMs = Number(await redis.eval(ACQUIRE, keys.length, ...keys, ...size))
    if (waitMs >= 0) return waitMs
    throw new TypeError('the Redis client answered no number')
  })

  return {
    acquire: (request) => admission.wait(request),
    async pause(durationOfPauseMs) {
      await redis.eval(PAUSE, 1, keys[1], String(Math.ceil(durationOfPauseMs)))
    },
  }
}

/**
 * Lets those who wait go one by one. Only the first in line asks, so that one process costs Redis one question at a
 * time.
 * @param ask answers how many milliseconds to wait, 0 when one may go.
 */
function createAdmission(clock: Clock, ask: () => Promise<number>): Pick<WaitingLine, 'wait'> {
  let isRunning = false
  let endWait = (): void => undefined
  const line = createWaitingLine(() => {
    if (line.isEmpty) endWait()
  })
  const wait = (waitMs: number): Promise<void> =>
    new Promise((resolve) => {
      const cancelTimer = startTimer(clock, waitMs, resolve)
      endWait = () => {
        cancelTimer()
        resolve()
      }
    })
  const admitAll = async (): Promise<void> => {
    isRunning = true
    while (!line.isEmpty) {
      const waitMs = await ask()
      if (waitMs > 0) await wait(waitMs)
      else line.admitNext()
    }
  }
  const run = (): void => {
    const admitted = admitAll().catch((error: unknown) => line.failAll(error))
    void admitted.then(() => {
      isRunning = false
      if (!line.isEmpty) run()
    })
  }

  return {
    wait(request) {
      const admitted = line.wait(request)
      if (!isRunning) run()
      return admitted
    },
  }
}
