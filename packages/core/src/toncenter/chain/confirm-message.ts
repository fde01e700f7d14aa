import { backoffDelay } from '../../shared/timers.js'
import { isTonplugError, isTransient } from '../../shared/tonplug-error.js'
import { createWaker, type Waker } from '../follow/waker.js'
import type { V3Trace, V3Transaction } from '../v3/generated/types.js'
import { ConfirmationInterruptedError, ConfirmationTimeoutError } from './confirmation-errors.js'
import { findTrace, type FoundTrace, type TraceMetadata } from './find-trace.js'
import type { Sender } from './message-sender.js'
import type { NonInclusion } from './non-inclusion.js'
import type { SendCheckpoint } from './send-checkpoint.js'
import { traceOutcome, type TraceVerdict } from './trace-outcome.js'
import { transactionsOf, type MessageStatus } from './trace-state.js'
import type { ChainReader, ResolvedWaitOptions } from './wait-options.js'

/**
 * A message that has landed, with its trace. `outcome` is `success` if every contract that ran succeeded; otherwise `reason`
 * describes the failure. `parseTrace(trace, { metadata })` returns the transfers.
 */
export type ConfirmedMessage = TraceVerdict & {
  /** The hash that was searched for, in base64. */
  hash: string
  /** `confirmed` only if that was the requested status: it can still be reverted. */
  status: 'confirmed' | 'finalized'
  trace: V3Trace
  /** In chronological order. The first one received the message. */
  transactions: V3Transaction[]
  metadata: TraceMetadata | undefined
}

interface Confirmation {
  v3: ChainReader
  checkpoint: SendCheckpoint
  options: ResolvedWaitOptions
  /** Absent if no node is queried: nothing then proves that the message will never land. */
  nonInclusion?: NonInclusion | undefined
  sender?: Sender | undefined
  /** `true` if the index cannot have the message yet, so that it is sent before it is searched for. */
  isNew: boolean
}

const MAX_DELAY_MS = 15_000
const MAX_CALL_MS = 60_000

/**
 * Searches for a message, and sends it while it is unseen, until it has the requested status.
 * @throws {ConfirmationTimeoutError} {@link ConfirmationInterruptedError}, the errors of `nonInclusion` and `sender`, and
 *   the signal's reason.
 */
export async function confirmMessage(confirmation: Confirmation): Promise<ConfirmedMessage> {
  const { v3, checkpoint, options } = confirmation
  const { stream } = options
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  const traces = { types: ['trace'], traces: [checkpoint.hash], minFinality: 'pending' } as const
  try {
    return await poll(confirmation, createWaker(v3.clock, signal, { stream, ...traces }))
  } finally {
    ending.abort()
  }
}

async function poll(confirmation: Confirmation, waker: Waker): Promise<ConfirmedMessage> {
  const { v3, checkpoint, options, sender, isNew } = confirmation
  const { timeoutMs, pollMs } = options
  const deadlineAtMs = v3.clock.nowMs() + timeoutMs
  const remainingMs = (): number => deadlineAtMs - v3.clock.nowMs()
  const backoff = { minDelayMs: pollMs, maxDelayMs: Math.max(pollMs, MAX_DELAY_MS) }
  let found: FoundTrace | undefined
  let failures = 0
  let searchError: Error | undefined
  // A search for a new message would only cost a request.
  for (let isSearched = !isNew; remainingMs() > 0; isSearched = true) {
    if (isSearched) {
      const searched = await search(confirmation, remainingMs(), found)
      searchError = searched.error
      failures = searchError === undefined ? 0 : failures + 1
      if (searchError === undefined) found = searched.found
      const confirmed = confirmedBy(found, confirmation)
      if (confirmed !== undefined) return confirmed
    }
    if (found === undefined && remainingMs() > 0) await sender?.send(remainingMs())
    const delayMs = backoffDelay(backoff, failures + 1)
    const isSending = sender !== undefined && found === undefined
    const limit = (ms: number): number => Math.max(0, Math.min(ms, remainingMs()))
    await waker.wait(limit(delayMs), limit(isSending ? delayMs : Math.max(delayMs, MAX_DELAY_MS)))
  }
  const cause = sender?.lastError ?? searchError
  throw new ConfirmationTimeoutError({ checkpoint, status: statusOf(found), timeoutMs, cause })
}

/**
 * Searches once, and reports a change of the status. Returns neither field if the index does not have the message.
 * @throws permanent errors, and the error of a message that will never land.
 */
async function search(
  { v3, checkpoint, options, nonInclusion }: Confirmation,
  remainingMs: number,
  last: FoundTrace | undefined,
): Promise<{ found?: FoundTrace | undefined; error?: Error }> {
  const { priority, signal } = options
  const request = { priority, signal, deadlineMs: Math.min(remainingMs, MAX_CALL_MS) }
  let found: FoundTrace | undefined
  try {
    // Before the search: a message that is not found is in none of the blocks up to this head.
    await nonInclusion?.readHead(request)
    found = await findTrace(v3, checkpoint.hash, request)
  } catch (error) {
    signal.throwIfAborted()
    if (!isTonplugError(error)) throw error
    if (isTransient(error)) return { error }
    throw new ConfirmationInterruptedError({ checkpoint, status: statusOf(last), cause: error })
  }
  nonInclusion?.record(found !== undefined)
  if (found?.status !== last?.status) {
    options.onProgress({ status: statusOf(found), trace: found?.trace })
  }
  return { found }
}

function statusOf(found: FoundTrace | undefined): MessageStatus {
  return found?.status ?? 'unseen'
}

function confirmedBy(
  found: FoundTrace | undefined,
  { checkpoint: { hash }, options: { until } }: Confirmation,
): ConfirmedMessage | undefined {
  if (found === undefined) return undefined
  const { status, trace, metadata } = found
  const isReached = status === 'finalized' || (status === 'confirmed' && until === 'confirmed')
  if (!isReached) return undefined
  const { verdict } = traceOutcome(trace)
  return { ...verdict, hash, status, trace, transactions: transactionsOf(trace), metadata }
}
