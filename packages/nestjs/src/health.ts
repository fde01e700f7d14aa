import { Inject, Injectable } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import * as terminus from '@nestjs/terminus'
import { ConfigurationError, isTonplugError, systemClock } from '@tonplug/core'
import type { Payments, PaymentsHealth, PaymentWatcher, WatcherHealth } from '@tonplug/core'
import type {
  Priority,
  RequestTimeoutError,
  V2Client,
  V2ResponseMeta,
} from '@tonplug/core/toncenter'
import type { TonplugInstances } from './instances.js'
import { getV2Token, getWatcherToken, INSTANCES } from './tonplug.tokens.js'

type PaymentsHealthOptions = NonNullable<Parameters<Payments['health']>[0]>
type WatcherHealthOptions = NonNullable<Parameters<PaymentWatcher['health']>[0]>

/** Options of {@link TonplugHealthIndicator.isHealthy}. */
export interface TonplugHealthOptions {
  /** The instance. @default 'default' */
  name?: string | undefined
  /**
   * Time limit for two requests, including the wait for the rate limit, milliseconds. If no request could be sent in this
   * time, the check is repeated once with high priority, so it takes at most twice this time. @default 5_000
   */
  timeoutMs?: number | undefined
  /** Maximum age of the last block. @default 60 */
  maxLagSeconds?: number | undefined
}

/** Options of {@link TonplugHealthIndicator.isReceiving}. */
export interface TonplugPaymentsHealthOptions extends PaymentsHealthOptions {
  /** The instance. @default 'default' */
  name?: string | undefined
}

/** Options of {@link TonplugHealthIndicator.isWatching}. */
export interface TonplugWatcherHealthOptions extends WatcherHealthOptions {
  /** The instance. @default 'default' */
  name?: string | undefined
}

/** Result of {@link TonplugHealthIndicator.isReceiving}. */
export type TonplugPaymentsHealth = Omit<PaymentsHealth, 'status'> & {
  /** Versions of Terminus before 12 have no `degraded`; there it is `up` with a message. */
  status: terminus.HealthIndicatorStatus
}

/** Result of {@link TonplugHealthIndicator.isHealthy}. */
export type TonplugHealth = {
  status: 'up' | 'down'
  /** The newest masterchain block that the server knows. */
  seqno?: number
  /** Age of that block. */
  lagSeconds?: number
  /** The server that responded, without its path, which may contain a secret. */
  server?: string
  /** The reason for `down`, or for not sending a request. */
  message?: string
  /** The error code of a call that failed or was not sent. */
  code?: string
}

/**
 * Reports to Terminus whether payments are accepted, whether the watcher runs, and whether API v2 responds and keeps up
 * with the chain.
 * @example
 * ```ts
 * @HealthCheck()
 * @Get('ready')
 * check() {
 *   return this.health.check([
 *     () => this.tonplug.isReceiving('payments'),
 *     () => this.tonplug.isHealthy('ton'),
 *   ])
 * }
 * ```
 */
@Injectable()
export class TonplugHealthIndicator {
  constructor(@Inject(ModuleRef) private readonly moduleRef: ModuleRef) {}

  /**
   * Reports `down` when payments have not been started or are shut down, when their stores do not respond, and when a report
   * has waited longer than `maxWaitMs`; `degraded` when the policy of this process differs from that of the others.
   * @param key the key of the result
   * @throws {HealthCheckError} of Terminus 10 when down; later versions read the status of the result.
   */
  async isReceiving<const Key extends string>(
    key: Key,
    { name, ...options }: TonplugPaymentsHealthOptions = {},
  ): Promise<Record<Key, TonplugPaymentsHealth>> {
    const instances = this.moduleRef.get<TonplugInstances>(INSTANCES, { strict: false })
    const { payments, isClosing } = instances.get(name)
    const health = await payments.health(options)
    const closing = { status: 'down', message: 'the app is shutting down' } as const
    const { status, ...facts } = isClosing ? { ...health, ...closing } : health
    const known = status === 'degraded' ? degraded() : status
    return toResult(key, { status: known, ...facts }, 'payments cannot be accepted')
  }

  /**
   * Reports `down` when the watcher does not run, when an order has been open for longer than `maxOpenAgeMs`, and when no run
   * was completed for longer than `maxIncompleteMs`. Use it for monitoring, not for readiness: webhooks still work.
   * @param key the key of the result
   * @throws {ConfigurationError} for an instance without the option `watcher`.
   * @throws {HealthCheckError} of Terminus 10 when down; later versions read the status of the result.
   */
  async isWatching<const Key extends string>(
    key: Key,
    { name, ...options }: TonplugWatcherHealthOptions = {},
  ): Promise<Record<Key, WatcherHealth>> {
    const token = getWatcherToken(name)
    const watcher = this.moduleRef.get<PaymentWatcher | undefined>(token, { strict: false })
    if (watcher === undefined) {
      const problem = `is missing from the options of TonplugModule '${name ?? 'default'}'; set it before you check the watcher`
      throw new ConfigurationError({ option: 'watcher', problem })
    }
    return toResult(key, await watcher.health(options), 'the chain is not watched')
  }

  /**
   * Reports `down` when the server does not respond in time, or its last block is too old. The requests have low priority, so
   * that they delay payments only when the rate limit is exhausted. If no request could be sent because of the rate limit, the
   * result is `up`, with the reason in `message`.
   * @param key the key of the result
   * @throws {HealthCheckError} of Terminus 10 when down; later versions read the status of the result.
   */
  async isHealthy<const Key extends string>(
    key: Key,
    options: TonplugHealthOptions = {},
  ): Promise<Record<Key, TonplugHealth>> {
    const v2 = this.moduleRef.get<V2Client>(getV2Token(options.name), { strict: false })
    return toResult(key, await check(v2, options), 'the TON API is not healthy')
  }
}

function toResult<Key extends string, Health extends { status: terminus.HealthIndicatorStatus }>(
  key: Key,
  health: Health,
  problem: string,
): Record<Key, Health> {
  // A computed key loses its type.
  const result = { [key]: health } as Record<Key, Health>
  if (health.status === 'down') failInTerminus10(problem, result)
  return result
}

async function check(v2: V2Client, options: TonplugHealthOptions): Promise<TonplugHealth> {
  const { health, isUnsent } = await probe(v2, options, 'low')
  // With high priority it waits for one request at most.
  return isUnsent ? (await probe(v2, options, 'high')).health : health
}

/** The result of one probe. */
interface ProbeResult {
  health: TonplugHealth
  /** True when the client's rate limit left no capacity for the first request. */
  isUnsent: boolean
}

/** @throws {ConfigurationError} for an invalid time. */
async function probe(
  v2: V2Client,
  { timeoutMs = 5_000, maxLagSeconds = 60 }: TonplugHealthOptions,
  priority: Priority,
): Promise<ProbeResult> {
  const seen: Pick<TonplugHealth, 'seqno' | 'server'> = {}
  let spentMs = 0
  const onResponse = ({ baseUrl, durationMs }: V2ResponseMeta): void => {
    seen.server = new URL(baseUrl).origin
    spentMs = durationMs
  }
  try {
    const options = { priority, deadlineMs: timeoutMs, onResponse }
    const { workchain, shard, seqno } = (await v2.getMasterchainInfo({}, options)).last
    seen.seqno = seqno
    const deadlineMs = Math.max(1, timeoutMs - spentMs)
    const block = { workchain, shard, seqno }
    const { gen_utime } = await v2.getBlockHeader(block, { priority, deadlineMs })
    return { health: { ...seen, ...checkAge(gen_utime, maxLagSeconds) }, isUnsent: false }
  } catch (error) {
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_CONFIGURATION') throw error
    const isUnsent = isQueueTimeout(error)
    return { health: { ...seen, ...describeFailure(error, isUnsent) }, isUnsent }
  }
}

function checkAge(createdAtSeconds: number | undefined, maxLagSeconds: number): TonplugHealth {
  if (createdAtSeconds === undefined) {
    return { status: 'down', message: 'the response of the server has no time of its last block' }
  }
  const lagSeconds = Math.max(0, Math.floor(systemClock.nowMs() / 1000) - createdAtSeconds)
  if (lagSeconds <= maxLagSeconds) return { status: 'up', lagSeconds }
  const message = `the last block is ${lagSeconds} s old, more than ${maxLagSeconds} s`
  return { status: 'down', lagSeconds, message }
}

/** Returns true when the time limit passed in the client's queue, before a request was sent. */
function isQueueTimeout(error: unknown): boolean {
  if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_TIMEOUT') return false
  // Errors of that code are of this class; a CommonJS app may have a second copy of it.
  const { attempts, phase } = (error as RequestTimeoutError).details
  return attempts === 0 && phase === 'queue'
}

/** A rate limit, of the client or of the server, does not count as a failure of the server. */
function describeFailure(error: unknown, isUnsent: boolean): TonplugHealth {
  if (!isTonplugError(error)) return { status: 'down', message: String(error) }
  const { code, message } = error
  const isUp = isUnsent || code === 'ERR_TONPLUG_RATE_LIMIT'
  return isUp
    ? { status: 'up', message: `not checked: ${message}`, code }
    : { status: 'down', message, code }
}

const exported: Readonly<Record<string, unknown>> = terminus

/** Returns the status for `degraded`; versions of Terminus before 12 would ignore a result with it. */
function degraded(): terminus.HealthIndicatorStatus {
  if (!('HealthCheckAttempt' in exported)) return 'up'
  // Only the types of version 12 have it.
  return 'degraded' as terminus.HealthIndicatorStatus
}

/** Terminus 10 detects a failure only by an error, and has no service that creates results. */
function failInTerminus10(problem: string, causes: object): void {
  if ('HealthIndicatorService' in exported) return
  // Versions before 12 export it.
  const HealthCheckError = exported['HealthCheckError'] as new (
    message: string,
    causes: object,
  ) => Error
  throw new HealthCheckError(problem, causes)
}
