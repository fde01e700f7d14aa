import { Inject, Injectable } from '@nestjs/common'
import { ModuleRef } from '@nestjs/core'
import * as terminus from '@nestjs/terminus'
import { ConfigurationError, isTonplugError, systemClock } from '@tonplug/core'
import type {
  Priority,
  Reconciler,
  ReconcilerHealth,
  ReconcilerHealthOptions,
  ReceiverHealth,
  ReceiverHealthOptions,
  TimeoutError,
  V2Client,
  V2ResponseMeta,
  WebhookReceiver,
} from '@tonplug/core'
import { getReceiverToken, getReconcilerToken, getV2Token } from './tonplug.tokens.js'

/** What {@link TonplugHealthIndicator} checks, and how strictly. */
export interface TonplugHealthOptions {
  /** The instance. @default 'default' */
  name?: string | undefined
  /**
   * Time for two requests, the wait for the rate limit included. When that wait alone takes it all, they are asked once
   * more, ahead of everything else, so the check ends after twice that time at the latest. @default 5_000
   */
  timeoutMs?: number | undefined
  /** How old the last block may be. @default 60 */
  maxLagSeconds?: number | undefined
}

/** What {@link TonplugHealthIndicator.isReceiving} checks, and how strictly. */
export interface TonplugReceiverHealthOptions extends ReceiverHealthOptions {
  /** The instance. @default 'default' */
  name?: string | undefined
}

/** What {@link TonplugHealthIndicator.isReconciling} checks, and how strictly. */
export interface TonplugReconcilerHealthOptions extends ReconcilerHealthOptions {
  /** The instance. @default 'default' */
  name?: string | undefined
}

/** What is told about the servers. */
export type TonplugHealth = {
  status: 'up' | 'down'
  /** The newest masterchain block that the server knows. */
  seqno?: number
  /** How long ago that block was made. */
  lagSeconds?: number
  /** The server that answered, without its path, which may hold a secret. */
  server?: string
  /** Why it is down, or why nothing could be asked. */
  message?: string
  /** The error's code, when a call failed or was not made. */
  code?: string
}

/**
 * Tells Terminus whether webhooks can be taken, and whether API v2 answers and keeps up with the chain.
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
   * Down when the receiver has not started or was closed, when its inbox does not answer, and when a delivery has waited
   * for longer than `maxWaitMs`.
   * @param key what the result is listed under
   * @throws {HealthCheckError} of Terminus 10 when down; later versions take the result for that.
   */
  async isReceiving<const Key extends string>(
    key: Key,
    { name, ...options }: TonplugReceiverHealthOptions = {},
  ): Promise<Record<Key, ReceiverHealth>> {
    const token = getReceiverToken(name)
    const receiver = this.moduleRef.get<WebhookReceiver>(token, { strict: false })
    return toResult(key, await receiver.health(options), 'webhooks cannot be taken')
  }

  /**
   * Down when the reconciler does not run, when an order has been open for longer than `maxOpenAgeMs`, and when no run has
   * come to its end for longer than `maxIncompleteMs`. It belongs to a monitor: no traffic has to stop for it.
   * @param key what the result is listed under
   * @throws {ConfigurationError} for an instance without the option `reconcile`.
   * @throws {HealthCheckError} of Terminus 10 when down; later versions take the result for that.
   */
  async isReconciling<const Key extends string>(
    key: Key,
    { name, ...options }: TonplugReconcilerHealthOptions = {},
  ): Promise<Record<Key, ReconcilerHealth>> {
    const token = getReconcilerToken(name)
    const reconciler = this.moduleRef.get<Reconciler | undefined>(token, { strict: false })
    if (reconciler === undefined) {
      const problem = `is missing from the webhook options of TonplugModule '${name ?? 'default'}', so there is no reconciler to check`
      throw new ConfigurationError({ option: 'reconcile', problem })
    }
    return toResult(key, await reconciler.health(options), 'lost webhooks are not found')
  }

  /**
   * Down when the server does not answer in time, or its last block is too old. It asks with low priority, so that a
   * health check goes ahead of a payment only where the rate limit leaves no other room. Waiting for the rate limit is
   * no failure of the server: a check that could ask nothing says `up`, and in `message` that it could not.
   * @param key what the result is listed under
   * @throws {HealthCheckError} of Terminus 10 when down; later versions take the result for that.
   */
  async isHealthy<const Key extends string>(
    key: Key,
    options: TonplugHealthOptions = {},
  ): Promise<Record<Key, TonplugHealth>> {
    const v2 = this.moduleRef.get<V2Client>(getV2Token(options.name), { strict: false })
    return toResult(key, await check(v2, options), 'the TON API is not healthy')
  }
}

function toResult<Key extends string, Health extends { status: 'up' | 'down' }>(
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
  const { health, isHeld } = await ask(v2, options, 'low')
  // Ahead of all others, the wait is that of one request.
  return isHeld ? (await ask(v2, options, 'high')).health : health
}

/** What a question came to. */
interface Finding {
  health: TonplugHealth
  /** Whether a request was never sent, since our own rate limit left no room for it. */
  isHeld: boolean
}

/** @throws {ConfigurationError} for a time that is none. */
async function ask(
  v2: V2Client,
  { timeoutMs = 5_000, maxLagSeconds = 60 }: TonplugHealthOptions,
  priority: Priority,
): Promise<Finding> {
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
    return { health: { ...seen, ...judgeAge(gen_utime, maxLagSeconds) }, isHeld: false }
  } catch (error) {
    if (isTonplugError(error) && error.code === 'ERR_TONPLUG_CONFIGURATION') throw error
    const isHeld = isHeldBack(error)
    return { health: { ...seen, ...describeFailure(error, isHeld) }, isHeld }
  }
}

function judgeAge(madeAtSeconds: number | undefined, maxLagSeconds: number): TonplugHealth {
  if (madeAtSeconds === undefined) {
    return { status: 'down', message: 'the server does not say when its last block was made' }
  }
  const lagSeconds = Math.max(0, Math.floor(systemClock.nowMs() / 1000) - madeAtSeconds)
  if (lagSeconds <= maxLagSeconds) return { status: 'up', lagSeconds }
  const message = `the last block is ${lagSeconds} s old, more than ${maxLagSeconds} s`
  return { status: 'down', lagSeconds, message }
}

/** Whether all the time went by in our own line, before anything was sent. */
function isHeldBack(error: unknown): boolean {
  if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_TIMEOUT') return false
  // Errors of that code are of this class; a CommonJS app may have a second copy of it.
  const { attempts, phase } = (error as TimeoutError).details
  return attempts === 0 && phase === 'queue'
}

/** A limit, ours or the one that the server told, is no failure of the server. */
function describeFailure(error: unknown, isHeld: boolean): TonplugHealth {
  if (!isTonplugError(error)) return { status: 'down', message: String(error) }
  const { code, message } = error
  const isUp = isHeld || code === 'ERR_TONPLUG_RATE_LIMIT'
  return isUp
    ? { status: 'up', message: `not checked: ${message}`, code }
    : { status: 'down', message, code }
}

/** Terminus 10 sees that something is down by an error alone, and knows no service that makes results. */
function failInTerminus10(problem: string, causes: object): void {
  const exported: Readonly<Record<string, unknown>> = terminus
  if ('HealthIndicatorService' in exported) return
  // Versions before 12 export it.
  const HealthCheckError = exported['HealthCheckError'] as new (
    message: string,
    causes: object,
  ) => Error
  throw new HealthCheckError(problem, causes)
}
