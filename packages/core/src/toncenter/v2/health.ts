import { systemClock } from '../../shared/clock.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import type { RequestTimeoutError } from '../errors/http.js'
import type { Priority } from '../transport/call-options.js'
import type { V2ResponseMeta } from './call.js'
import type { V2Client } from './client.js'

/** Options of {@link checkV2Health}. */
export interface V2HealthOptions {
  /**
   * Time limit for two requests, including the wait for the rate limit, milliseconds. If no request could be sent in this
   * time, the check is repeated once with high priority, so it takes at most twice this time. @default 5_000
   */
  timeoutMs?: number | undefined
  /** Maximum age of the last block. @default 60 */
  maxLagSeconds?: number | undefined
}

/** Result of {@link checkV2Health}. */
export type V2Health = {
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
 * Reports whether API v2 responds and keeps up with the chain. Sends two requests with low priority. If the rate limit left no
 * capacity for a request, the result is `up`, with the reason in `message`.
 * @throws {ConfigurationError} for an invalid time.
 * @example
 * ```ts
 * import { createV2Client, checkV2Health } from '@tonplug/core/toncenter'
 *
 * const { status, lagSeconds } = await checkV2Health(createV2Client({ network: 'testnet' }))
 * console.log(status, lagSeconds)
 * ```
 */
export async function checkV2Health(
  v2: V2Client,
  options: V2HealthOptions = {},
): Promise<V2Health> {
  const { health, isUnsent } = await probe(v2, options, 'low')
  // With high priority it waits for one request at most.
  return isUnsent ? (await probe(v2, options, 'high')).health : health
}

/** The result of one probe. */
interface ProbeResult {
  health: V2Health
  /** True when the client's rate limit left no capacity for the first request. */
  isUnsent: boolean
}

/** @throws {ConfigurationError} for an invalid time. */
async function probe(
  v2: V2Client,
  { timeoutMs = 5_000, maxLagSeconds = 60 }: V2HealthOptions,
  priority: Priority,
): Promise<ProbeResult> {
  const seen: Pick<V2Health, 'seqno' | 'server'> = {}
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

function checkAge(createdAtSeconds: number | undefined, maxLagSeconds: number): V2Health {
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
function describeFailure(error: unknown, isUnsent: boolean): V2Health {
  if (!isTonplugError(error)) return { status: 'down', message: String(error) }
  const { code, message } = error
  const isUp = isUnsent || code === 'ERR_TONPLUG_RATE_LIMIT'
  return isUp
    ? { status: 'up', message: `not checked: ${message}`, code }
    : { status: 'down', message, code }
}
