import { onAbort, untilAborted } from '../../shared/abort.js'
import { backoffDelay, sleep } from '../../shared/timers.js'
import type { CallFacts } from '../errors/call-error.js'
import { OutcomeUnknownError, RateLimitError, TransportError } from '../errors/http.js'
import {
  attempt,
  beginSlot,
  type Call,
  type Failure,
  type Progress,
  type Success,
} from './attempt.js'
import { ADMITTED } from './rate-limiter.js'
import { copyCause } from './redact.js'
import { capPause } from './servers.js'

/**
 * Sends a request within the rate limit, and retries it until it succeeds, the attempts are used up, or the next one would
 * begin after the deadline.
 * @throws {OutcomeUnknownError} when a request that changes something fails after an attempt that was lost.
 */
export async function sendWithRetries(call: Call, progress: Progress): Promise<Success> {
  const attemptsBefore = progress.attempts
  try {
    for (;;) {
      await waitForSlot(call, progress, progress.attempts > attemptsBefore)
      const result = await attempt(call, progress)
      if ('value' in result) return result
      await waitToRetry(call, progress, result, progress.attempts - attemptsBefore)
    }
  } catch (error) {
    const { lostError } = progress
    const { isRead, adviceWhenLost: advice } = call.request
    // The error of the lost attempt itself shows that the outcome is unknown.
    const isKnown = advice === undefined && lostError === error
    if (isRead || isKnown || lostError === undefined) throw error
    const lostCode = lostError.code
    throw new OutcomeUnknownError({ ...factsOf(call, progress), lostCode, advice, cause: error })
  } finally {
    beginSlot(call.options.limiter, progress)
  }
}

function factsOf(call: Call, { attempts }: Progress): CallFacts {
  return { endpoint: call.request.endpoint, attempts }
}

/** @param attempts requests sent for this request. @throws the error of the attempt when it was the last one. */
async function waitToRetry(
  call: Call,
  progress: Progress,
  failure: Failure,
  attempts: number,
): Promise<void> {
  const { clock, callHook } = call.options
  const { error, failedRoot } = failure
  progress.lastError = error
  if (failure.isLost) progress.lostError = error
  const serverDelayMs = retryDelay(call, failure, attempts)
  if (failure.isRateLimited) await pauseServer(failure, call, progress, serverDelayMs)
  // Another server is used as soon as it is free.
  const otherFreeInMs = failedRoot === undefined ? Infinity : call.route.otherFreeInMs(failedRoot)
  const delayMs = Math.min(serverDelayMs, otherFreeInMs)
  const isSentOnce = call.request.adviceWhenLost !== undefined
  const isLast = attempts >= call.maxAttempts || (isSentOnce && failure.isLost)
  const isOnceMore = failure.isRetryableOnce === true && call.request.isRead && attempts === 1
  const isTooLate = clock.nowMs() + delayMs >= progress.deadlineAtMs
  if ((!failure.isRetryable && !isOnceMore) || isLast || isTooLate) throw error
  callHook('retry', { ...factsOf(call, progress), delayMs, error })
  progress.phase = 'backoff'
  if (delayMs > 0) await sleep(clock, delayMs, progress.signal)
}

/**
 * Returns the delay before the server that failed is used again: as it requests, otherwise a random part of the
 * backoff (full jitter), so that clients that failed together do not return together. After an exceeded rate limit, plus
 * `minDelayMs`, since an immediate retry would be rejected again.
 */
function retryDelay({ options }: Call, failure: Failure, attempts: number): number {
  const { retry, random } = options
  const requestedMs = capPause(failure.retryAfterMs)
  if (requestedMs > 0) return requestedMs
  const delayMs = Math.round(random() * backoffDelay(retry, attempts))
  return failure.isRateLimited ? delayMs + retry.minDelayMs : delayMs
}

/** @throws {RateLimitError} as soon as it is certain that a pause lasts beyond the deadline. */
async function waitForSlot(call: Call, progress: Progress, isRetry: boolean): Promise<void> {
  const { pauses, clock, callHook, limiter } = call.options
  const { priority, route } = call
  const { signal, deadlineAtMs } = progress
  const servers = route.roots
  progress.phase = 'queue'
  const startedMs = clock.nowMs()
  const pausedMs = pauses.beyondDeadlineMs({ servers, deadlineAtMs })
  if (pausedMs > 0) throw pausedError(call, progress, pausedMs)
  try {
    const request = { priority, isRetry, signal, servers, isBeginReported: true }
    const slot = limiter.acquire(request)
    if (slot !== ADMITTED) await waitForAdmission(slot, call, progress)
    progress.hasSlot = true
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof RateLimitError) throw error
    const cause = copyCause(error, call.redact)
    const problem = `rate limiter failed (${cause.message})`
    const code = 'ERR_TONPLUG_LIMITER'
    throw new TransportError({ ...factsOf(call, progress), code, problem, cause })
  }
  const waitedMs = clock.nowMs() - startedMs
  if (waitedMs >= 1) callHook('wait', { ...factsOf(call, progress), waitedMs })
}

/** Gives a slot back that is admitted after the wait has ended. @throws the signal's reason. {@link RateLimitError} */
function waitForAdmission(slot: Promise<void>, call: Call, progress: Progress): Promise<void> {
  const { limiter, pauses } = call.options
  const { signal, deadlineAtMs } = progress
  return new Promise((resolve, reject) => {
    let isWaiting = true
    const end = (): void => {
      isWaiting = false
      stopWatching()
      stopListening()
    }
    const fail = (error: unknown): void => {
      end()
      reject(error)
    }
    const stopWatching = pauses.watch({ servers: call.route.roots, deadlineAtMs }, (pausedMs) =>
      fail(pausedError(call, progress, pausedMs)),
    )
    const stopListening = onAbort(signal, () => fail(signal.reason))
    const admit = (): void => {
      if (!isWaiting) return limiter.begin?.()
      end()
      resolve()
    }
    slot.then(admit, fail)
  })
}

function pausedError(call: Call, progress: Progress, retryAfterMs: number): RateLimitError {
  return new RateLimitError({ ...factsOf(call, progress), retryAfterMs })
}

/** Pauses the server for all callers. An error of the limiter must not hide the 429; the next request for a slot fails, too. */
async function pauseServer(
  { failedRoot }: Failure,
  call: Call,
  progress: Progress,
  delayMs: number,
): Promise<void> {
  if (failedRoot === undefined || delayMs <= 0) return
  const { pauses, limiter } = call.options
  pauses.begin(failedRoot, delayMs)
  const pause = async (): Promise<void> => limiter.pause(delayMs, failedRoot)
  const { signal } = progress
  await untilAborted(pause(), signal).catch(() => signal.throwIfAborted())
}
