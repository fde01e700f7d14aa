import { LimiterError, type CallFacts } from '../errors/http.js'
import { sleep, untilAborted } from './abort.js'
import { attempt, type Call, type Failure, type Success } from './attempt.js'
import { copyCause } from './redact.js'
import { retryDelay } from './retry.js'
import type { CallProgress } from './shared-calls.js'

// A server that asks for more is asked again after this; every call has its own deadline anyway.
const LONGEST_PAUSE_MS = 600_000

/**
 * Sends a request within the rate limit, and again as long as it may help: until it is answered, the attempts are
 * used up, or the next one would begin after the deadline.
 */
export async function send(call: Call, progress: CallProgress): Promise<Success> {
  const { retry, clock, tell } = call.options
  for (;;) {
    await waitForSlot(call, progress)
    const result = await attempt(call, progress)
    if ('value' in result) return result
    const { error } = result
    progress.lastError = error
    const delayMs = delayAfter(result, call, progress)
    if (result.isRateLimited) await pauseAll(call, progress, delayMs)
    const isLast = progress.attempts >= retry.maxAttempts
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

/** Another server is tried at once. */
function delayAfter(failure: Failure, call: Call, progress: CallProgress): number {
  const { failedRoot, retryAfterMs, isRateLimited } = failure
  if (failedRoot !== undefined && call.route.hasOther(failedRoot)) return 0
  const { attempts } = progress
  const { retry, random } = call.options
  return retryDelay(retry, { attempts, retryAfterMs, isRateLimited }, random)
}

async function waitForSlot(call: Call, progress: CallProgress): Promise<void> {
  const { limiter, clock, tell } = call.options
  const { signal } = progress
  progress.phase = 'queue'
  const startedMs = clock.nowMs()
  const slot = { priority: call.priority, isRetry: progress.attempts > 0, signal }
  await guardLimiter(call, progress, () => limiter.acquire(slot))
  const waitedMs = clock.nowMs() - startedMs
  if (waitedMs >= 1) tell('wait', { ...factsOf(call, progress), waitedMs })
}

/** A pause that fails is no reason to hide the 429; the next request for a slot fails as well. */
async function pauseAll(call: Call, progress: CallProgress, delayMs: number): Promise<void> {
  const durationMs = Math.min(delayMs, LONGEST_PAUSE_MS)
  const pause = async (): Promise<void> => call.options.limiter.pause(durationMs)
  await untilAborted(pause(), progress.signal).catch(() => progress.signal.throwIfAborted())
}

/** A limiter that is given may ignore the signal, and may fail. */
async function guardLimiter(
  call: Call,
  progress: CallProgress,
  ask: () => Promise<void>,
): Promise<void> {
  const { signal } = progress
  try {
    await untilAborted(ask(), signal)
  } catch (error) {
    signal.throwIfAborted()
    const cause = copyCause(error, call.options.redact)
    throw new LimiterError({ ...factsOf(call, progress), cause })
  }
}
