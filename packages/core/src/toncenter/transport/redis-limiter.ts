import { createPause } from '../../shared/alarm.js'
import { monotonicClock, type Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { withDeadline } from '../../shared/deadline.js'
import { checkOptions, objectParam, positiveParam, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { stringParam } from '../schema/params.js'
import {
  createWaitingLine,
  windowSize,
  type RateLimiter,
  type WaitingLine,
} from './rate-limiter.js'
import { capPause } from './servers.js'

interface RedisRateLimiterOptions {
  /** A connected client of ioredis; for other clients see the example. The caller closes it. */
  redis: RedisEval
  /** Requests per second, over all processes that use the same `name`. */
  rps: number
  /** Name of the limit: one for each network and key. Never the key itself. @default 'default' */
  name?: string | undefined
  /** Timeout of one Redis command; the waiting calls then fail with `ERR_TONPLUG_LIMITER`. @default 5_000 */
  timeoutMs?: number | undefined
  /** For the waits; the window uses the time of the Redis server. @default a monotonic clock */
  clock?: Clock | undefined
}

interface RedisEval {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>
}

const optionShape: OptionShape<RedisRateLimiterOptions> = {
  redis: objectParam('a Redis client', 'eval'),
  rps: positiveParam,
  name: optionalParam(stringParam),
  timeoutMs: optionalParam(positiveParam),
  clock: optionalParam(objectParam('an object')),
}

// The list contains the times of the last starts, newest first, microseconds. Redis 5 or later.
// Returns how many milliseconds to wait, 0 when the request may start and is counted. The keys after the list are that of
// the pause of all servers, and those of the servers that the request may be sent to.
const ACQUIRE = `
local paused
for index = 3, #KEYS do
  local left = math.max(redis.call('PTTL', KEYS[index]), 0)
  paused = math.min(paused or left, left)
end
paused = math.max(redis.call('PTTL', KEYS[2]), paused or 0)
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
 * Creates a limiter that several processes share through Redis. Priorities apply within each process. When Redis fails,
 * returns no number, or times out, the calls fail: uncounted requests would exceed the limit of the key for all processes.
 * @throws {ConfigurationError} when `rps` is not above 0, or not finite.
 * @example
 * ```ts
 * import { createRedisRateLimiter } from '@tonplug/core/toncenter'
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
  checkOptions(optionShape, options)
  const { redis, rps, name = 'default', timeoutMs = 5_000, clock = monotonicClock } = options
  if (rps === Infinity) {
    const problem = 'must be finite: the requests per second that all processes share'
    throw new ConfigurationError({ option: 'rps', problem })
  }
  const { capacity, durationMs } = windowSize(rps)
  // The braces keep all keys on one node of a cluster.
  const prefix = `tonplug:{rate:${name}}`
  const pauseKey = (server?: string): string =>
    server === undefined ? `${prefix}:pause` : `${prefix}:pause:${fingerprint(server)}`
  const size = [String(capacity), String(durationMs * 1000)]
  const evaluate = (script: string, keys: readonly string[], ...rest: string[]): Promise<number> =>
    withDeadline(
      { clock, deadlineMs: timeoutMs },
      async () => readNumber(await redis.eval(script, keys.length, ...keys, ...rest)),
      () => {
        throw new Error(`Redis did not respond within ${timeoutMs} ms`)
      },
    )
  const admissions = new Map<string, Admission>()
  // Separate lines: a request whose servers are paused must not delay those to others.
  const admissionTo = (servers: readonly string[]): Admission => {
    const keys = [`${prefix}:starts`, pauseKey(), ...servers.map(pauseKey)]
    const key = keys.join(' ')
    const acquire = (): Promise<number> => evaluate(ACQUIRE, keys, ...size)
    const admission = admissions.get(key) ?? createAdmission(clock, acquire)
    admissions.set(key, admission)
    return admission
  }

  return {
    acquire: (request) => admissionTo(request.servers ?? []).wait(request),
    async pause(requestedMs, server) {
      const pauseMs = Math.ceil(capPause(requestedMs))
      if (pauseMs > 0) await evaluate(PAUSE, [pauseKey(server)], String(pauseMs))
    },
  }
}

/** @throws {TypeError} unless the value is a duration. */
function readNumber(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value
  const received = typeof value === 'number' ? String(value) : `a value of type ${typeof value}`
  throw new TypeError(`the Redis client must return a number; received ${received}`)
}

/** Returns a short name for a server's address, which may contain a secret: FNV-1a. */
function fingerprint(server: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(server)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}

type Admission = Pick<WaitingLine, 'wait'>

/**
 * Admits waiting requests one by one. Only the first one queries Redis, so each process has one query in flight.
 * @param acquire returns how many milliseconds to wait, 0 when one may start.
 */
function createAdmission(clock: Clock, acquire: () => Promise<number>): Admission {
  let isRunning = false
  const pause = createPause(clock)
  const line = createWaitingLine(() => {
    if (isEmpty()) pause.wake()
  })
  const isEmpty = (): boolean => line.firstRank() === Infinity
  const admitAll = async (): Promise<void> => {
    isRunning = true
    while (!isEmpty()) {
      const waitMs = await acquire()
      if (waitMs > 0) await pause.sleep(waitMs)
      else line.admitFirst()
    }
  }
  const run = (): void => {
    const admitted = admitAll().catch((error: unknown) => line.failAll(error))
    void admitted.then(() => {
      isRunning = false
      if (!isEmpty()) run()
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
