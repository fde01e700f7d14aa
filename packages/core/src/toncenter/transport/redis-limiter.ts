import { createPause, withDeadline } from '../../shared/timers.js'
import { monotonicClock, type Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
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

export interface RedisRateLimiterOptions {
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

export interface RedisEval {
  eval(script: string, numberOfKeys: number, ...keysAndArguments: string[]): Promise<unknown>
}

const optionShape: OptionShape<RedisRateLimiterOptions> = {
  redis: objectParam('a Redis client', 'eval'),
  rps: positiveParam,
  name: optionalParam(stringParam),
  timeoutMs: optionalParam(positiveParam),
  clock: optionalParam(objectParam('an object')),
}

// The set contains the last starts with their times, microseconds. That of a request that was not sent yet is in the future,
// and ends by itself if its process does. Redis 5 or later.
// Returns how many milliseconds to wait, 0 when the request may start and is counted. The keys after the set are that of
// the pause of all servers, and the pauses of the servers that the request may be sent to.
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
local hold, longest = tonumber(ARGV[4]), tonumber(ARGV[5])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - duration))
redis.call('ZREMRANGEBYSCORE', KEYS[1], string.format('(%.0f', now + longest), '+inf')
local count = redis.call('ZCARD', KEYS[1])
if count >= capacity then
  local oldest = redis.call('ZRANGE', KEYS[1], count - capacity, count - capacity, 'WITHSCORES')
  return math.ceil(math.min(oldest[2] + duration - now, duration) / 1000)
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now + hold), ARGV[3])
redis.call('PEXPIRE', KEYS[1], math.ceil((duration + hold) / 1000))
return 0`

// Counts a request from now on.
const BEGIN = `
local time = redis.call('TIME')
redis.call('ZADD', KEYS[1], string.format('%.0f', time[1] * 1000000 + time[2]), ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`

/** Longest time between the admission of a request and its sending. */
const HOLD_MS = 10_000

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
 * import { createRedisRateLimiter } from '@tonplug/core/redis'
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
  const starts = `${prefix}:starts`
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
  // The slots of admitted requests that were not sent. Which of them is sent makes no difference.
  const held: string[] = []
  const instance = globalThis.crypto.randomUUID()
  let lastSlot = 0
  const begin = async (slot: string): Promise<void> => {
    await redis.eval(BEGIN, 1, starts, slot, String(Math.ceil(durationMs)))
  }
  // Separate lines: a request whose servers are paused must not delay those to others.
  const admissionTo = (servers: readonly string[]): Admission => {
    const keys = [starts, pauseKey(), ...servers.map(pauseKey)]
    const key = keys.join(' ')
    const acquire: Acquire = async (isHeld) => {
      const slot = `${instance}:${++lastSlot}`
      const holdUs = (isHeld ? HOLD_MS : 0) * 1000
      const rest = [...size, slot, String(holdUs), String(HOLD_MS * 1000)]
      const waitMs = await evaluate(ACQUIRE, keys, ...rest)
      const admit = (isReported: boolean): void => {
        if (isReported) held.push(slot)
        else if (isHeld) void begin(slot).catch(() => undefined)
      }
      return { waitMs, admit }
    }
    const admission = admissions.get(key) ?? createAdmission(clock, acquire)
    admissions.set(key, admission)
    return admission
  }

  return {
    acquire: (request) => admissionTo(request.servers ?? []).wait(request),
    begin() {
      const slot = held.shift()
      // Without an answer, the slot stays taken until it ends by itself.
      if (slot !== undefined) void begin(slot).catch(() => undefined)
    },
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
 * Requests a slot. @param isHeld true to take it until its request is sent
 * @returns how many milliseconds to wait, 0 when one request may start: `admit` is then called for it.
 */
type Acquire = (
  isHeld: boolean,
) => Promise<{ waitMs: number; admit: (isReported: boolean) => void }>

/** Admits waiting requests one by one. Only the first one queries Redis, so each process has one query in flight. */
function createAdmission(clock: Clock, acquire: Acquire): Admission {
  let isRunning = false
  const pause = createPause(clock)
  const line = createWaitingLine(() => {
    if (isEmpty()) pause.wake()
  })
  const isEmpty = (): boolean => line.firstRank() === Infinity
  const admitAll = async (): Promise<void> => {
    isRunning = true
    while (!isEmpty()) {
      const { waitMs, admit } = await acquire(line.first()?.isBeginReported === true)
      if (waitMs > 0) await pause.sleep(waitMs)
      else admit(line.admitFirst()?.isBeginReported === true)
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
