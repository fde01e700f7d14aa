import { isTonplugError, type TonplugError } from '../errors/tonplug-error.js'
import { mayPass } from '../runtime/may-pass.js'
import type { Clock } from '../runtime/clock.js'
import type { Priority } from '../transport/priority.js'
import type { V2Client } from '../v2/client.js'
import type { Absence } from './absence.js'
import type { Sender } from './confirm-message.js'

/** As much of a client of API v2 as is needed to send a message, and to tell what became of it. */
export type MessageSender = Pick<
  V2Client,
  'sendBoc' | 'getMasterchainInfo' | 'getAddressInformation'
>

/** What a {@link Sender} is made from. */
interface Sending {
  v2: MessageSender
  clock: Clock
  boc: string
  /** Unix seconds. */
  validUntil: number | undefined
  /** Whether somebody may have sent the message before. */
  isResumed: boolean
  resendMs: number
  pollMs: number
  /** Of everything but the first time. */
  priority: Priority
  signal: AbortSignal
  absence: Absence
}

/** A node that does not answer must not keep us from looking whether the message has landed. */
const LONGEST_SEND_MS = 15_000

/** What a failure of sending says about the message. */
type Fate = 'taken' | 'refused' | 'not-sent' | 'unknown'

/** Sends a message, and again from time to time. Nobody has sent anything yet, unless it is resumed. */
export function createMessageSender(sending: Sending): Sender {
  const { clock, validUntil, resendMs, pollMs, absence } = sending
  let mayBeSent = sending.isResumed
  let refusal: TonplugError | undefined
  let lastError: TonplugError | undefined
  let nextAtMs = -Infinity

  const isDue = (): boolean => {
    const nowMs = clock.nowMs()
    // By the chain's time, which this clock may be ahead of: a node refuses what is too late.
    const isValid = validUntil === undefined || nowMs / 1000 <= validUntil || !mayBeSent
    return isValid && nowMs >= nextAtMs
  }

  const sendOnce = async (remainingMs: number): Promise<void> => {
    lastError = await send(sending, mayBeSent, remainingMs)
    const fate = lastError === undefined ? 'taken' : fateOf(lastError, mayBeSent)
    if (fate === 'refused') refusal = lastError
    if (fate === 'taken' || fate === 'unknown') mayBeSent = true
    // A wrong key or address of the server: the same would come again, and nothing was sent.
    if (fate === 'not-sent' && lastError !== undefined && !mayPass(lastError)) throw lastError
    nextAtMs = clock.nowMs() + (fate === 'not-sent' ? pollMs : resendMs)
  }

  return {
    async send(remainingMs) {
      if (refusal === undefined && isDue()) await sendOnce(remainingMs)
      if (refusal !== undefined && !absence.isRefused) {
        const seqno = await readSeqno(sending, remainingMs)
        if (seqno !== undefined) absence.refuse(refusal, seqno)
      }
    },
    get lastError() {
      return lastError
    },
  }
}

/** @returns what went wrong. @throws the signal's reason. */
async function send(
  { v2, boc, priority, signal }: Sending,
  isAgain: boolean,
  remainingMs: number,
): Promise<TonplugError | undefined> {
  const deadlineMs = Math.min(remainingMs, LONGEST_SEND_MS)
  try {
    await v2.sendBoc({ boc }, { signal, deadlineMs, ...(isAgain && { priority }) })
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    if (isTonplugError(error)) return error
    throw error
  }
}

/** The newest masterchain block that v2 has; `undefined` when it does not answer. */
async function readSeqno(
  { v2, priority, signal }: Sending,
  remainingMs: number,
): Promise<number | undefined> {
  const deadlineMs = Math.min(remainingMs, LONGEST_SEND_MS)
  try {
    return (await v2.getMasterchainInfo({}, { signal, priority, deadlineMs })).last.seqno
  } catch (error) {
    signal.throwIfAborted()
    if (isTonplugError(error)) return undefined
    throw error
  }
}

/**
 * What became of the message. What is not known for certain is unknown: whoever takes a message that was sent for one
 * that was not, signs a second one. @param mayBeSent whether it may have been accepted before
 */
function fateOf(error: TonplugError, mayBeSent: boolean): Fate {
  switch (error.code) {
    case 'ERR_TONPLUG_DUPLICATE_MESSAGE':
      return 'taken'
    case 'ERR_TONPLUG_MESSAGE_REJECTED':
      return mayBeSent ? 'unknown' : 'refused'
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

/** Whether the error tells that no request has left, as after a deadline in the queue of the rate limit. */
function wasNeverSent({ details }: TonplugError): boolean {
  return 'attempts' in details && details.attempts === 0
}
