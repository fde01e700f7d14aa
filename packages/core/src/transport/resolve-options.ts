import { ConfigurationError } from '../errors/configuration.js'
import type { Clock } from '../runtime/clock.js'
import { serverRoots } from './base-url.js'
import { callClock } from './call-clock.js'
import { checkFunction } from './check-function.js'
import { notNegative, positive } from './check-number.js'
import { createHookCaller, type HookCaller } from './hooks.js'
import type { TransportInstrumentation } from './instrumentation.js'
import { createRateLimiter, type RateLimiter } from './limiter.js'
import type { Fetch, TransportOptions } from './options.js'
import { checkObject, checkOptionNames, HOOKS, TRANSPORT_OPTIONS } from './option-names.js'
import { sharedPauses, type Pauses } from './pause.js'
import { createRedact, readApiKey, type Redact } from './redact.js'
import type { RetryPlan } from './retry.js'

/** The options with their defaults, checked. It holds no API key: that is inside two functions. */
export interface ResolvedOptions {
  roots: readonly string[]
  limiter: RateLimiter
  pauses: Pauses
  retry: RetryPlan
  timeoutMs: number
  deadlineMs: number
  maxBodyBytes: number
  fetch: Fetch
  clock: Clock
  random: () => number
  tell: HookCaller
  instrumentation: TransportInstrumentation
  /** Adds the key to the headers of a request. */
  authorize: (headers: Record<string, string>) => Record<string, string>
  redact: Redact
}

/** @throws {ConfigurationError} when an option cannot work. */
export function resolveOptions(options: TransportOptions): ResolvedOptions {
  checkOptionNames(options, TRANSPORT_OPTIONS)
  const clock = options.clock ?? callClock
  const apiKey = readApiKey(options.apiKey)
  if (options.rps !== undefined && options.limiter !== undefined) {
    throw new ConfigurationError({
      option: 'rps',
      problem: 'the limiter that is given has its own',
    })
  }
  const { hooks = {}, instrumentation = {} } = options
  checkObject('instrumentation', instrumentation)
  checkOptionNames(hooks, HOOKS, 'hooks.')
  for (const name of HOOKS) checkFunction(`hooks.${name}`, hooks[name])
  const redact = createRedact(apiKey)
  const rps = options.rps ?? (apiKey === undefined ? 1 : 10)
  const limiter = options.limiter ?? createRateLimiter({ rps, clock })
  return {
    roots: serverRoots(options),
    limiter,
    pauses: sharedPauses(limiter, clock),
    retry: resolveRetry(options.retry ?? {}),
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 10_000),
    deadlineMs: positive('deadlineMs', options.deadlineMs ?? 60_000),
    maxBodyBytes: positive('maxBodyBytes', options.maxBodyBytes ?? 67_108_864),
    // Looked up at each request: tests and tracing tools replace it.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    clock,
    random: options.random ?? Math.random,
    tell: createHookCaller([instrumentation, hooks], redact),
    instrumentation,
    authorize: (headers) => (apiKey === undefined ? headers : { 'x-api-key': apiKey, ...headers }),
    redact,
  }
}

function resolveRetry(retry: NonNullable<TransportOptions['retry']>): RetryPlan {
  checkOptionNames(retry, ['maxAttempts', 'minDelayMs', 'maxDelayMs'], 'retry.')
  return {
    maxAttempts: positive('retry.maxAttempts', retry.maxAttempts ?? 4),
    minDelayMs: notNegative('retry.minDelayMs', retry.minDelayMs ?? 500),
    maxDelayMs: notNegative('retry.maxDelayMs', retry.maxDelayMs ?? 15_000),
  }
}
