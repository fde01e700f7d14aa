import { backoffDelay } from '../shared/backoff.js'
import { isTonplugError, isTransient } from '../shared/tonplug-error.js'
import { createWaker, type Waker } from '../toncenter/v3/watch/waker.js'
import type { Trace } from '../toncenter/v3/schemas/trace.js'
import type { Transaction } from '../toncenter/v3/schemas/transaction.js'
import { ConfirmationInterruptedError, ConfirmationTimeoutError } from './confirmation-errors.js'
import { findTrace, type FoundTrace, type TraceMetadata } from './find-trace.js'
import type { NonInclusion } from './non-inclusion.js'
import type { SendCheckpoint } from './send-checkpoint.js'
import { traceOutcome, type TraceVerdict } from './trace-outcome.js'
import { transactionsOf, type MessageStatus } from './trace-state.js'
import type { ChainReader, ResolvedWaitOptions } from './wait-options.js'

/**
 * A message that has landed, with its trace. `outcome` is `success` if every contract that ran succeeded; otherwise `reason`
 * describes the failure. `describeTrace(trace, { metadata })` returns the transfers.
 */
export type ConfirmedMessage = TraceVerdict & {
  /** The hash that was searched for, in base64. */
  hash: string
  /** `confirmed` only if that was the requested status: it can still be reverted. */
  status: 'confirmed' | 'finalized'
  trace: Trace
  /** In chronological order. The first one received the message. */
  transactions: Transaction[]
  metadata: TraceMetadata | undefined
}

/** Sends the message of a confirmation. */
export interface Sender {
  /** Sends if it is due. Does not throw errors after which the message may still land. @param remainingMs of the whole wait */
  send(remainingMs: number): Promise<void>
  readonly lastError: Error | undefined
}

export interface Confirmation {
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
  const progress = createProgress(options)
  let failures = 0
  let searchError: Error | undefined
  // A search for a new message would only cost a request.
  for (let isSearched = !isNew; remainingMs() > 0; isSearched = true) {
    if (isSearched) {
      const searched = await search(confirmation, remainingMs(), progress.status)
      searchError = searched.error
      failures = searchError === undefined ? 0 : failures + 1
      if (searchError === undefined) progress.report(searched.found)
      const confirmed = progress.confirmed(checkpoint.hash)
      if (confirmed !== undefined) return confirmed
    }
    if (progress.status === 'unseen' && remainingMs() > 0) await sender?.send(remainingMs())
    const delayMs = backoffDelay(backoff, failures + 1)
    const isSending = sender !== undefined && progress.status === 'unseen'
    const limit = (ms: number): number => Math.max(0, Math.min(ms, remainingMs()))
    await waker.wait(limit(delayMs), limit(isSending ? delayMs : Math.max(delayMs, MAX_DELAY_MS)))
  }
  const cause = sender?.lastError ?? searchError
  throw new ConfirmationTimeoutError({ checkpoint, status: progress.status, timeoutMs, cause })
}

/** The result of a search. Without both fields, the index does not have the message. */
interface SearchResult {
  found?: FoundTrace | undefined
  error?: Error | undefined
}

/** @throws permanent errors, and the error of a message that will never land. */
async function search(
  { v3, checkpoint, options, nonInclusion }: Confirmation,
  remainingMs: number,
  status: MessageStatus,
): Promise<SearchResult> {
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
    throw new ConfirmationInterruptedError({ checkpoint, status, cause: error })
  }
  nonInclusion?.record(found !== undefined)
  return { found }
}

function createProgress({ until, onProgress }: ResolvedWaitOptions) {
  let last: FoundTrace | undefined
  return {
    get status(): MessageStatus {
      return last?.status ?? 'unseen'
    },
    report(found: FoundTrace | undefined): void {
      const hasChanged = found?.status !== last?.status
      last = found
      if (hasChanged) onProgress({ status: found?.status ?? 'unseen', trace: found?.trace })
    },
    confirmed(hash: string): ConfirmedMessage | undefined {
      if (last === undefined) return undefined
      const { status, trace, metadata } = last
      const isReached = status === 'finalized' || (status === 'confirmed' && until === 'confirmed')
      if (!isReached) return undefined
      const { verdict } = traceOutcome(trace)
      return { ...verdict, hash, status, trace, transactions: transactionsOf(trace), metadata }
    },
  }
}
