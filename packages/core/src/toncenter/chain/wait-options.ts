import { ConfigurationError } from '../../shared/configuration-error.js'
import {
  anyOption,
  checkOptions,
  functionParam,
  objectParam,
  oneOfParam,
  positiveParam,
  type OptionShape,
} from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { timeParam, type TimeLike } from '../schema/params.js'
import { requestOptions, type Priority } from '../transport/call-options.js'
import type { EventSource } from '../follow/waker.js'
import type { V3Client } from '../v3/client.js'
import type { V3Trace } from '../v3/generated/types.js'
import type { MessageStatus } from './trace-state.js'

/** The methods of a client of API v3 that wait for a message. */
export type ChainReader = Pick<V3Client, 'traces' | 'pendingTraces' | 'masterchainInfo' | 'clock'>

/** Options of a wait for a message. */
export interface WaitOptions {
  /** Upper limit of the whole wait. @default 180_000 */
  timeoutMs?: number | undefined
  /**
   * The status to wait for: the whole trace of the message is in final blocks, or only in blocks. A `confirmed` trace can
   * still be reverted: do not ship anything for it. @default 'finalized'
   */
  until?: 'confirmed' | 'finalized' | undefined
  /**
   * The time until which the contract accepts the message, Unix seconds or a `Date`. With it `sendAndWait` can prove that a
   * message will never land: see {@link MessageExpiredError}. `waitForMessage` has no proof and only stores it in the
   * `checkpoint` of its errors.
   */
  validUntil?: TimeLike | undefined
  /** The delay between two polls; doubled after each failed one, up to 15 s. @default 2000 */
  pollMs?: number | undefined
  /** Polls at once when the stream reports the message, and every 15 s otherwise while the stream is connected. */
  stream?: EventSource | undefined
  /** Priority of the requests. Calls that wait for a single response have a higher one. @default 'low' */
  priority?: Priority | undefined
  /** Ends the wait, which rejects with the signal's reason. A sent message may still land. */
  signal?: AbortSignal | undefined
  /** Called when the status changes, with the current trace. An error thrown here ends the wait. */
  onProgress?: ((progress: MessageProgress) => void) | undefined
}

/** A change of a message's status. */
export interface MessageProgress {
  status: MessageStatus
  /** Absent while the index does not have the message. */
  trace: V3Trace | undefined
}

export const waitOptions: OptionShape<WaitOptions> = {
  timeoutMs: optionalParam(positiveParam),
  until: optionalParam(oneOfParam(['confirmed', 'finalized'])),
  validUntil: optionalParam(timeParam),
  pollMs: optionalParam(positiveParam),
  stream: optionalParam(objectParam('a stream from createStream()', 'subscribe')),
  priority: requestOptions.priority,
  signal: anyOption,
  onProgress: optionalParam(functionParam),
}

export type ResolvedWaitOptions = {
  [Name in Exclude<keyof WaitOptions, 'validUntil' | 'stream'>]-?: NonNullable<WaitOptions[Name]>
} & Pick<WaitOptions, 'stream'>

/** Checks options and adds defaults. @throws {ConfigurationError} for an unknown or invalid option. */
export function resolveWaitOptions(
  options: WaitOptions,
  shape: OptionShape<WaitOptions> = waitOptions,
): ResolvedWaitOptions {
  checkOptions(shape, options)
  return {
    timeoutMs: options.timeoutMs ?? 180_000,
    until: options.until ?? 'finalized',
    pollMs: options.pollMs ?? 2000,
    stream: options.stream,
    priority: options.priority ?? 'low',
    signal: options.signal ?? new AbortController().signal,
    onProgress: options.onProgress ?? (() => undefined),
  }
}

/** A method of each client that the other one does not have. */
const METHODS = { v2: 'sendBoc', v3: 'traces' } as const

/**
 * Checks the clients of a call, for callers without types.
 * @param call an example of the call
 * @throws {ConfigurationError} for a missing or different client.
 */
export function checkClient(api: keyof typeof METHODS, client: unknown, call: string): void {
  const given = client as Readonly<Record<string, unknown>> | null | undefined
  if (typeof given?.[METHODS[api]] === 'function') return
  const problem = `must be a client of API ${api}; call ${call}`
  throw new ConfigurationError({ option: api, problem })
}
