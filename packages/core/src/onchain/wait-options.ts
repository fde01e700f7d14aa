import { ConfigurationError } from '../errors/configuration.js'
import type { TimeLike } from '../schema/params.js'
import { checkOptionNames } from '../transport/option-names.js'
import { checkPriority, type Priority } from '../transport/priority.js'
import { positive } from '../transport/check-number.js'
import type { V3Client } from '../v3/client.js'
import type { Trace } from '../v3/schemas/trace.js'
import type { MessageStatus } from './message-status.js'

/** As much of a client of API v3 as is needed to wait for a message. */
export type ChainReader = Pick<V3Client, 'traces' | 'pendingTraces' | 'masterchainInfo' | 'clock'>

/** How long to wait for a message, and for what. */
export interface WaitOptions {
  /** How long to wait in all. @default 180_000 */
  timeoutMs?: number | undefined
  /**
   * What to wait for: that all that the message causes is in final blocks, or only that it is in blocks. What is merely
   * `confirmed` can still be undone: ship nothing for it. @default 'finalized'
   */
  until?: 'confirmed' | 'finalized' | undefined
  /**
   * The time that the contract itself takes the message until, Unix seconds or a `Date`. With it a message that never
   * lands is told from one that is late: see {@link MessageExpiredError}.
   */
  validUntil?: TimeLike | undefined
  /** The wait between two looks; doubled, up to 15 s, each time that looking fails. @default 2000 */
  pollMs?: number | undefined
  /** Of its requests. Whoever waits for a single answer goes first. @default 'low' */
  priority?: Priority | undefined
  /** Ends the wait, which then rejects with the signal's reason. It takes nothing back: a message that was sent may land. */
  signal?: AbortSignal | undefined
  /** Told when the status changes; `trace` is how it looks then. What this throws ends the wait. */
  onProgress?: ((progress: MessageProgress) => void) | undefined
}

/** A step of a message on its way. */
export interface MessageProgress {
  status: MessageStatus
  /** Absent while the index does not have the message. */
  trace: Trace | undefined
}

/** {@link WaitOptions} with their defaults, checked. */
export interface ResolvedWaitOptions {
  timeoutMs: number
  until: 'confirmed' | 'finalized'
  pollMs: number
  priority: Priority
  signal: AbortSignal
  onProgress: (progress: MessageProgress) => void
}

const NAMES: Record<keyof WaitOptions, true> = {
  timeoutMs: true,
  until: true,
  validUntil: true,
  pollMs: true,
  priority: true,
  signal: true,
  onProgress: true,
}

/** @throws {ConfigurationError} when an option cannot work. @param more names that are options too */
export function resolveWaitOptions(
  options: WaitOptions,
  more: readonly string[] = [],
): ResolvedWaitOptions {
  checkOptionNames(options, [...Object.keys(NAMES), ...more])
  const { until = 'finalized', priority = 'low' } = options
  if (until !== 'confirmed' && until !== 'finalized') {
    throw new ConfigurationError({
      option: 'until',
      problem: `is ${JSON.stringify(until)}; give 'confirmed' or 'finalized'`,
    })
  }
  return {
    timeoutMs: positive('timeoutMs', options.timeoutMs ?? 180_000),
    until,
    pollMs: positive('pollMs', options.pollMs ?? 2000),
    priority: checkPriority(priority),
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => undefined),
  }
}
