import {
  LimiterError,
  OutcomeUnknownError,
  RateLimitError,
  type CallFacts,
} from '../errors/http.js'
import { onAbort, sleep, untilAborted } from './abort.js'
import { attempt, type Call, type Failure, type Success } from './attempt.js'
import { copyCause } from './redact.js'
import { retryDelay } from './retry.js'
import type { CallProgress } from './shared-calls.js'

/**
 * Sends a request within the rate limit, and again as long as it may help: until it is answered, the attempts are
 * used up, or the next one would begin after the deadline.
 * @throws {OutcomeUnknownError} when a request that changes something is refused after an attempt that was lost.
 */
export async function send(call: Call, progress: CallProgress): Promise<Success> {
  try {
    return await sendUntilAnswered(call, progress)
  } catch (error) {
    const { lostError } = progress
    const { isRead, adviceWhenLost: advice } = call.request
    // Without advice an error that is the loss itself says by its class that nothing is known.
    const isKnown = advice === undefined && lostError === error
    if (isRead || isKnown || lostError === undefined) throw error
    const lostCode = lostError.code
    throw new OutcomeUnknownError({ ...factsOf(call, progress), lostCode, advice, cause: error })
  }
}

async function sendUntilAnswered(call: Call, progress: CallProgress): Promise<Success> {
  const { retry, clock, tell } = call.options
  for (;;) {
    await waitForSlot(call, progress)
    const result = await attempt(call, progress)
    if ('value' in result) return result
    const { error } = result
    progress.lastError = error
    if (result.isLost) progress.lostError = error
    const tried = progress.attempts - progress.attemptsBefore
    const ownDelayMs = delayAfter(result, call, tried)
    if (result.isRateLimited) await pauseServer(result, call, progress, ownDelayMs)
    const delayMs = nextDelay(result, call, ownDelayMs)
    const isSentOnce = call.request.adviceWhenLost !== undefined
    const isLast = tried >= retry.maxAttempts || (isSentOnce && result.isLost)
    const isTooLate = clock.nowMs() + delayMs >= progress.deadlineAtMs
    if (!result.isRetryable || isLast || isTooLate) throw error
    tell('retry', { ...factsOf(call, progress), delayMs, error })
    progress.phase = 'backoff'
    if (delayMs > 0) await sleep(clock, delayMs, progress.signal)
  }
}

function factsOf(call: Call, progress: CallProgress): CallFacts {
  return { endpoint: call.request.endpoint, attempts: progress.attempts }
}

/** The wait before the server that failed is tried again. */
function delayAfter(failure: Failure, call: Call, attempts: number): number {
  const { retryAfterMs, isRateLimited } = failure
  const { retry, random } = call.options
  return retryDelay(retry, { attempts, retryAfterMs, isRateLimited }, random)
}

/** Another server is tried at once, or as soon as it may be. */
function nextDelay({ failedRoot }: Failure, { route }: Call, ownDelayMs: number): number {
  return failedRoot === undefined
    ? ownDelayMs
    : Math.min(ownDelayMs, route.otherFreeInMs(failedRoot))
}

async function waitForSlot(call: Call, progress: CallProgress): Promise<void> {
  const { route, options } = call
  const { pauses, clock, tell } = options
  progress.phase = 'queue'
  const startedMs = clock.nowMs()
  const stopWatching = pauses.watch({ servers: route.roots, progress }, (retryAfterMs) =>
    progress.abort(new RateLimitError({ ...factsOf(call, progress), retryAfterMs })),
  )
  try {
    // A caller who is more urgent may join meanwhile.
    while (!(await acquireSlot(call, progress))) continue
  } finally {
    stopWatching()
  }
  const waitedMs = clock.nowMs() - startedMs
  if (waitedMs >= 1) tell('wait', { ...factsOf(call, progress), waitedMs })
}

/** @returns false when the call has become more urgent, so that its place in line is to be taken anew. */
async function acquireSlot(call: Call, progress: CallProgress): Promise<boolean> {
  const { limiter } = call.options
  const { priority, attempts, attemptsBefore } = progress
  const place = new AbortController()
  const stopFollowing = onAbort(progress.signal, () => place.abort(progress.signal.reason))
  progress.onRaise = () => place.abort(progress)
  const slot = {
    priority,
    isRetry: attempts > attemptsBefore,
    signal: place.signal,
    servers: call.route.roots,
  }
  try {
    await untilAborted(limiter.acquire(slot), place.signal)
    return true
  } catch (error) {
    progress.signal.throwIfAborted()
    if (place.signal.aborted) return false
    const cause = copyCause(error, call.redact)
    throw new LimiterError({ ...factsOf(call, progress), cause })
  } finally {
    progress.onRaise = undefined
    stopFollowing()
  }
}

/** A pause that fails is no reason to hide the 429; the next request for a slot fails as well. */
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
