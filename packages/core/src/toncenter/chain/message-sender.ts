import type { Clock } from '../../shared/clock.js'
import { isTonplugError, isTransient, type TonplugError } from '../../shared/tonplug-error.js'
import type { V2Client } from '../v2/client.js'
import { unlessFailed } from './find-trace.js'
import type { NonInclusion } from './non-inclusion.js'
import type { SendCheckpoint } from './send-checkpoint.js'
import type { ResolvedWaitOptions } from './wait-options.js'

/** The methods of a client of API v2 that send a message and prove that it will never land. */
export type MessageSender = Pick<
  V2Client,
  'sendBoc' | 'getMasterchainInfo' | 'getAddressInformation'
>

interface Sending {
  v2: MessageSender
  clock: Clock
  checkpoint: SendCheckpoint & { boc: string }
  /** A `resendMs` of `Infinity` sends a single request. `priority` is that of all requests after the first one. */
  options: Pick<ResolvedWaitOptions, 'pollMs' | 'priority' | 'signal'> & { resendMs: number }
  /** `true` if the message may have been sent before. */
  isResumed: boolean
  nonInclusion: NonInclusion
}

/** An unresponsive node must not delay the search for the message. */
const MAX_SEND_MS = 15_000

type SendOutcome = 'accepted' | 'rejected' | 'not-sent' | 'unknown'

export type Sender = ReturnType<typeof createMessageSender>

/** Creates a sender that repeats the message. It assumes that nothing was sent before, unless the message is resumed. */
export function createMessageSender(sending: Sending) {
  const { clock, nonInclusion } = sending
  const { validUntil = Infinity } = sending.checkpoint
  const { resendMs, pollMs } = sending.options
  let mayBeSent = sending.isResumed
  let rejection: TonplugError | undefined
  let lastError: TonplugError | undefined
  let nextAtMs = -Infinity

  /** An invalid key or address gives the same error again. After a 429 the single request is used up. */
  const isFinal = (error: TonplugError): boolean =>
    !isTransient(error) || (resendMs === Infinity && !wasNeverSent(error))

  const isDue = (): boolean => {
    const nowMs = clock.nowMs()
    // In the time of the chain, which may be behind this clock. A node rejects an expired message.
    const isValid = nowMs / 1000 <= validUntil || !mayBeSent
    return isValid && nowMs >= nextAtMs
  }

  const sendOnce = async (remainingMs: number): Promise<void> => {
    lastError = await send(sending, mayBeSent, remainingMs)
    const outcome = lastError === undefined ? 'accepted' : outcomeOf(lastError, mayBeSent)
    if (outcome === 'rejected') rejection = lastError
    if (outcome === 'accepted' || outcome === 'unknown') mayBeSent = true
    if (outcome === 'not-sent' && lastError !== undefined && isFinal(lastError)) throw lastError
    nextAtMs = clock.nowMs() + (outcome === 'not-sent' ? pollMs : resendMs)
  }

  return {
    /** Sends if it is due. Does not throw errors after which the message may still land. @param remainingMs of the whole wait */
    async send(remainingMs: number): Promise<void> {
      if (rejection === undefined && isDue()) await sendOnce(remainingMs)
      if (rejection !== undefined && !nonInclusion.isRejected) {
        const seqno = await readSeqno(sending, remainingMs)
        if (seqno !== undefined) nonInclusion.reject(rejection, seqno)
      }
    },
    get lastError(): TonplugError | undefined {
      return lastError
    },
  }
}

/** Returns the error of sending. @throws the signal's reason. */
async function send(
  { v2, checkpoint: { boc }, options: { resendMs, priority, signal } }: Sending,
  isRepeated: boolean,
  remainingMs: number,
): Promise<TonplugError | undefined> {
  const deadlineMs = Math.min(remainingMs, MAX_SEND_MS)
  const maxAttempts = resendMs === Infinity ? 1 : undefined
  const request = { signal, deadlineMs, maxAttempts, ...(isRepeated && { priority }) }
  try {
    await v2.sendBoc({ boc }, request)
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    if (isTonplugError(error)) return error
    throw error
  }
}

/** Returns the newest masterchain block of API v2; `undefined` if it does not respond. */
async function readSeqno(
  { v2, options: { priority, signal } }: Sending,
  remainingMs: number,
): Promise<number | undefined> {
  const request = { signal, priority, deadlineMs: Math.min(remainingMs, MAX_SEND_MS) }
  return (await unlessFailed(v2.getMasterchainInfo({}, request), signal))?.last.seqno
}

/**
 * Returns the outcome of a failed request. Uncertain outcomes are `unknown`: to treat a sent message as not sent would cause
 * a second one. @param mayBeSent `true` if the message may have been accepted before
 */
function outcomeOf(error: TonplugError, mayBeSent: boolean): SendOutcome {
  switch (error.code) {
    case 'ERR_TONPLUG_DUPLICATE_MESSAGE':
      return 'accepted'
    case 'ERR_TONPLUG_MESSAGE_REJECTED':
      return mayBeSent ? 'unknown' : 'rejected'
    case 'ERR_TONPLUG_AUTHENTICATION':
    case 'ERR_TONPLUG_WRONG_NETWORK':
    case 'ERR_TONPLUG_VALIDATION':
    case 'ERR_TONPLUG_UNKNOWN_METHOD':
    case 'ERR_TONPLUG_INVALID_PARAMS':
    case 'ERR_TONPLUG_RATE_LIMIT':
    case 'ERR_TONPLUG_LIMITER':
      return mayBeSent ? 'unknown' : 'not-sent'
    default:
      return !mayBeSent && wasNeverSent(error) ? 'not-sent' : 'unknown'
  }
}

/** Returns true if no request was sent, for example after a deadline in the queue of the rate limit. */
function wasNeverSent({ details }: TonplugError): boolean {
  return 'attempts' in details && details.attempts === 0
}
