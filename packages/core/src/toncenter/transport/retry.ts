import { sleep } from '../../shared/abort.js'
import { backoffDelay } from '../../shared/backoff.js'
import type { CallFacts } from '../errors/call-error.js'
import { OutcomeUnknownError, RateLimitError, TransportError } from '../errors/http.js'
import { attempt, beginSlot, type Call, type Failure, type Success } from './attempt.js'
import { ADMITTED, type RateLimiter } from './rate-limiter.js'
import { copyCause } from './redact.js'
import { RAISED, type Run } from './run.js'
import { capPause } from './servers.js'

/**
 * Sends a request within the rate limit, and retries it until it succeeds, the attempts are used up, or the next one would
 * begin after the deadline.
 * @throws {OutcomeUnknownError} when a request that changes something fails after an attempt that was lost.
 */
export async function sendWithRetries(call: Call, run: Run<Success>): Promise<Success> {
  const attemptsBefore = run.attempts
  try {
    for (;;) {
      await waitForSlot(call, run, run.attempts > attemptsBefore)
      const result = await attempt(call, run)
      if ('value' in result) return result
      await waitToRetry(call, run, result, run.attempts - attemptsBefore)
    }
  } catch (error) {
    const { lostError } = run
    const { isRead, adviceWhenLost: advice } = call.request
    // The error of the lost attempt itself shows that the outcome is unknown.
    const isKnown = advice === undefined && lostError === error
    if (isRead || isKnown || lostError === undefined) throw error
    const lostCode = lostError.code
    throw new OutcomeUnknownError({ ...factsOf(call, run), lostCode, advice, cause: error })
  } finally {
    beginSlot(call.options.limiter, run)
  }
}

function factsOf(call: Call, run: Run<Success>): CallFacts {
  return { endpoint: call.request.endpoint, attempts: run.attempts }
}

/** @param attempts requests sent by this run. @throws the error of the attempt when it was the last one. */
async function waitToRetry(
  call: Call,
  run: Run<Success>,
  failure: Failure,
  attempts: number,
): Promise<void> {
  const { clock, callHook } = call.options
  const { error, failedRoot } = failure
  run.lastError = error
  if (failure.isLost) run.lostError = error
  const serverDelayMs = retryDelay(call, failure, attempts)
  if (failure.isRateLimited) await pauseServer(failure, call, run, serverDelayMs)
  // Another server is used as soon as it is free.
  const otherFreeInMs = failedRoot === undefined ? Infinity : call.route.otherFreeInMs(failedRoot)
  const delayMs = Math.min(serverDelayMs, otherFreeInMs)
  const isSentOnce = call.request.adviceWhenLost !== undefined
  const isLast = attempts >= call.maxAttempts || (isSentOnce && failure.isLost)
  const isOnceMore = failure.isRetryableOnce === true && call.request.isRead && attempts === 1
  const isTooLate = clock.nowMs() + delayMs >= run.deadlineAtMs
  if ((!failure.isRetryable && !isOnceMore) || isLast || isTooLate) throw error
  callHook('retry', { ...factsOf(call, run), delayMs, error })
  run.phase = 'backoff'
  if (delayMs > 0) await run.step((signal) => sleep(clock, delayMs, signal))
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

async function waitForSlot(call: Call, run: Run<Success>, isRetry: boolean): Promise<void> {
  const { pauses, clock, callHook } = call.options
  run.phase = 'queue'
  const startedMs = clock.nowMs()
  const stopWatching = pauses.watch({ servers: call.route.roots, run }, (retryAfterMs) =>
    run.end(new RateLimitError({ ...factsOf(call, run), retryAfterMs })),
  )
  try {
    // A caller with a higher priority may join in the meantime.
    while (!(await acquireSlot(call, run, isRetry))) continue
  } finally {
    stopWatching()
  }
  const waitedMs = clock.nowMs() - startedMs
  if (waitedMs >= 1) callHook('wait', { ...factsOf(call, run), waitedMs })
}

/** @returns false when the priority was raised, so that a slot must be requested again. */
async function acquireSlot(call: Call, run: Run<Success>, isRetry: boolean): Promise<boolean> {
  run.throwIfEnded()
  const { priority, signal } = run
  const servers = call.route.roots
  const { limiter } = call.options
  try {
    const request = { priority, isRetry, signal, servers, isBeginReported: true }
    const slot = limiter.acquire(request)
    if (slot !== ADMITTED) await waitForAdmission(slot, limiter, run)
    run.hasSlot = true
    return true
  } catch (error) {
    run.throwIfEnded()
    if (error === RAISED) return false
    const cause = copyCause(error, call.redact)
    const problem = `rate limiter failed (${cause.message})`
    const code = 'ERR_TONPLUG_LIMITER'
    throw new TransportError({ ...factsOf(call, run), code, problem, cause })
  }
}

/** A slot that is admitted when nothing waits for it any more is dropped. @throws the reason of the run's end. */
async function waitForAdmission(
  slot: Promise<void>,
  limiter: RateLimiter,
  run: Run<Success>,
): Promise<void> {
  let [isAdmitted, isLeft] = [false, false]
  try {
    await run.step(async () => {
      await slot
      isAdmitted = true
      if (isLeft) limiter.begin?.()
    })
  } catch (error) {
    isLeft = true
    if (isAdmitted) limiter.begin?.()
    throw error
  }
}

/** Pauses the server for all callers. An error of the limiter must not hide the 429; the next request for a slot fails, too. */
async function pauseServer(
  { failedRoot }: Failure,
  call: Call,
  run: Run<Success>,
  delayMs: number,
): Promise<void> {
  if (failedRoot === undefined || delayMs <= 0) return
  const { pauses, limiter } = call.options
  pauses.begin(failedRoot, delayMs)
  const pause = async (): Promise<void> => limiter.pause(delayMs, failedRoot)
  await run.step(pause).catch(() => run.throwIfEnded())
}
