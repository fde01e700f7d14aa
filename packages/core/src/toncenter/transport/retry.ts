import { linkAbort, sleep, untilAborted } from '../../shared/abort.js'
import { backoffDelay } from '../../shared/backoff.js'
import type { CallFacts } from '../errors/call-error.js'
import { OutcomeUnknownError, RateLimitError, TransportError } from '../errors/http.js'
import { attempt, type Call, type Failure, type Success } from './attempt.js'
import { copyCause } from './redact.js'
import { capPause } from './servers.js'
import type { CallProgress } from './shared-reads.js'

/**
 * Sends a request within the rate limit, and retries it until it succeeds, the attempts are used up, or the next one would
 * begin after the deadline.
 * @throws {OutcomeUnknownError} when a request that changes something fails after an attempt that was lost.
 */
export async function sendWithRetries(call: Call, progress: CallProgress): Promise<Success> {
  try {
    return await sendRepeatedly(call, progress)
  } catch (error) {
    const { lostError } = progress
    const { isRead, adviceWhenLost: advice } = call.request
    // The error of the lost attempt itself shows that the outcome is unknown.
    const isKnown = advice === undefined && lostError === error
    if (isRead || isKnown || lostError === undefined) throw error
    const lostCode = lostError.code
    throw new OutcomeUnknownError({ ...factsOf(call, progress), lostCode, advice, cause: error })
  }
}

async function sendRepeatedly(call: Call, progress: CallProgress): Promise<Success> {
  const { clock, callHook } = call.options
  for (;;) {
    await waitForSlot(call, progress)
    const result = await attempt(call, progress)
    if ('value' in result) return result
    const { error } = result
    progress.lastError = error
    if (result.isLost) progress.lostError = error
    const attempts = progress.attempts - progress.attemptsBefore
    const serverDelayMs = retryDelay(call, result, attempts)
    if (result.isRateLimited) await pauseServer(result, call, progress, serverDelayMs)
    const delayMs = nextDelay(result, call, serverDelayMs)
    const isSentOnce = call.request.adviceWhenLost !== undefined
    const isLast = attempts >= call.maxAttempts || (isSentOnce && result.isLost)
    const isTooLate = clock.nowMs() + delayMs >= progress.deadlineAtMs
    if (!result.isRetryable || isLast || isTooLate) throw error
    callHook('retry', { ...factsOf(call, progress), delayMs, error })
    progress.phase = 'backoff'
    if (delayMs > 0) await sleep(clock, delayMs, progress.signal)
  }
}

function factsOf(call: Call, progress: CallProgress): CallFacts {
  return { endpoint: call.request.endpoint, attempts: progress.attempts }
}

/**
 * Returns the delay before the server that failed is used again: the one that it requests, otherwise a random part of the
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

/** Returns the delay before the next attempt: another server is used as soon as it is free. */
function nextDelay({ failedRoot }: Failure, { route }: Call, serverDelayMs: number): number {
  return failedRoot === undefined
    ? serverDelayMs
    : Math.min(serverDelayMs, route.otherFreeInMs(failedRoot))
}

async function waitForSlot(call: Call, progress: CallProgress): Promise<void> {
  const { route, options } = call
  const { pauses, clock, callHook } = options
  progress.phase = 'queue'
  const startedMs = clock.nowMs()
  const stopWatching = pauses.watch({ servers: route.roots, progress }, (retryAfterMs) =>
    progress.abort(new RateLimitError({ ...factsOf(call, progress), retryAfterMs })),
  )
  try {
    // A caller with a higher priority may join in the meantime.
    while (!(await acquireSlot(call, progress))) continue
  } finally {
    stopWatching()
  }
  const waitedMs = clock.nowMs() - startedMs
  if (waitedMs >= 1) callHook('wait', { ...factsOf(call, progress), waitedMs })
}

/** @returns false when the priority was raised, so that a slot must be requested again. */
async function acquireSlot(call: Call, progress: CallProgress): Promise<boolean> {
  const { limiter } = call.options
  const { priority, attempts, attemptsBefore } = progress
  const wait = new AbortController()
  const unlink = linkAbort(progress.signal, wait)
  progress.onRaise = () => wait.abort(progress)
  const slot = {
    priority,
    isRetry: attempts > attemptsBefore,
    signal: wait.signal,
    servers: call.route.roots,
  }
  try {
    await untilAborted(limiter.acquire(slot), wait.signal)
    return true
  } catch (error) {
    progress.signal.throwIfAborted()
    if (wait.signal.aborted) return false
    const cause = copyCause(error, call.redact)
    const problem = `rate limiter failed (${cause.message})`
    const code = 'ERR_TONPLUG_LIMITER'
    throw new TransportError({ ...factsOf(call, progress), code, problem, cause })
  } finally {
    progress.onRaise = undefined
    unlink()
  }
}

/** Pauses the server for all callers. An error of the limiter must not hide the 429; the next request for a slot fails, too. */
async function pauseServer(
  { failedRoot }: Failure,
  call: Call,
  progress: CallProgress,
  delayMs: number,
): Promise<void> {
  if (failedRoot === undefined || delayMs <= 0) return
  const { pauses, limiter } = call.options
  pauses.begin(failedRoot, delayMs)
  const pause = async (): Promise<void> => limiter.pause(delayMs, failedRoot)
  await untilAborted(pause(), progress.signal).catch(() => progress.signal.throwIfAborted())
}
