import { ConfigurationError } from '../errors/configuration.js'
import type { Clock } from '../runtime/clock.js'
import { startTimer } from './abort.js'
import { callClock } from './call-clock.js'
import { positive } from './check-number.js'
import type { RateLimiter } from './limiter.js'
import { checkOptionNames } from './option-names.js'
import { capPause } from './pause.js'
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
  /** Time for one answer of Redis; when it is over, the calls that wait fail with a {@link LimiterError}. @default 5_000 */
  timeoutMs?: number | undefined
  /** For the waits; the window itself runs on the time of the Redis server. @default the clock of the transports */
  clock?: Clock | undefined
}

const NAMES: Record<keyof RedisRateLimiterOptions, true> = {
  redis: true,
  rps: true,
  name: true,
  timeoutMs: true,
  clock: true,
}

// The list holds the times of the last starts, newest first, microseconds. Redis 5 or later.
// Answers how many milliseconds to wait, 0 when the request may go and is counted. The keys behind the list are that of
// the pause of everything, and those of the servers that the request may go to.
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
 * A limiter that several processes share through Redis. Priorities hold within each process. When Redis fails, answers
 * no number, or does not answer in time, the calls fail: sending uncounted would cost everybody the key's limit.
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
  checkOptionNames(options, Object.keys(NAMES))
  const { redis, rps, name = 'default', clock = callClock } = options
  const timeoutMs = positive('timeoutMs', options.timeoutMs ?? 5_000)
  const { capacity, durationMs } = windowSize(rps)
  if (capacity === Infinity) {
    const problem = `is ${rps}, which needs no limiter; give the requests per second that all processes share`
    throw new ConfigurationError({ option: 'rps', problem })
  }
  // The braces keep all keys on one node of a cluster.
  const prefix = `tonplug:{rate:${name}}`
  const pauseKey = (server?: string): string =>
    server === undefined ? `${prefix}:pause` : `${prefix}:pause:${fingerprint(server)}`
  const size = [String(capacity), String(durationMs * 1000)]
  const evaluate = (script: string, keys: readonly string[], ...rest: string[]): Promise<number> =>
    withinTime(clock, timeoutMs, async () =>
      readNumber(await redis.eval(script, keys.length, ...keys, ...rest)),
    )
  const admissions = new Map<string, Pick<WaitingLine, 'wait'>>()
  // A request whose servers are paused must not keep those for others.
  const admissionTo = (servers: readonly string[]): Pick<WaitingLine, 'wait'> => {
    const keys = [`${prefix}:starts`, pauseKey(), ...servers.map(pauseKey)]
    const key = keys.join(' ')
    const ask = (): Promise<number> => evaluate(ACQUIRE, keys, ...size)
    const admission = admissions.get(key) ?? createAdmission(clock, ask)
    admissions.set(key, admission)
    return admission
  }

  return {
    acquire: (request) => admissionTo(request.servers ?? []).wait(request),
    async pause(durationOfPauseMs, server) {
      const pauseMs = Math.ceil(capPause(durationOfPauseMs))
      if (pauseMs > 0) await evaluate(PAUSE, [pauseKey(server)], String(pauseMs))
    },
  }
}

/** @throws {TypeError} for anything but a number that can be waited for. */
function readNumber(answer: unknown): number {
  if (typeof answer === 'number' && Number.isFinite(answer) && answer >= 0) return answer
  const found = typeof answer === 'number' ? String(answer) : `a value of type ${typeof answer}`
  throw new TypeError(`the Redis client answered ${found} in place of a number`)
}

/** Settles as the work does. @throws {Error} when that takes longer; what it comes to afterwards is ignored. */
function withinTime<T>(clock: Clock, timeoutMs: number, begin: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelTimer = startTimer(clock, timeoutMs, () =>
      reject(new Error(`Redis did not answer within ${timeoutMs} ms`)),
    )
    begin().then(resolve, reject).finally(cancelTimer)
  })
}

/** A short name for a server's address, which may hold a secret: FNV-1a. */
function fingerprint(server: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(server)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
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
    if (isEmpty()) endWait()
  })
  const isEmpty = (): boolean => line.firstPlace() === Infinity
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
    while (!isEmpty()) {
      const waitMs = await ask()
      if (waitMs > 0) await wait(waitMs)
      else line.admitNext()
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
