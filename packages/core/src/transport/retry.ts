import { capPause } from './pause.js'

/** {@link RetryOptions} with their defaults. */
export interface RetryPlan {
  maxAttempts: number
  minDelayMs: number
  maxDelayMs: number
}

/** What decides about the wait before the next attempt. */
export interface DelayFacts {
  /** Requests sent so far. */
  attempts: number
  /** What the server asks for, if anything. */
  retryAfterMs: number | undefined
  /** Whether the rate limit was exceeded. */
  isRateLimited: boolean
}

/**
 * The wait before the next attempt, milliseconds: what the server asks for, otherwise anything from 0 to a bound
 * that doubles each time (full jitter), so that clients who failed together do not come back together. After an
 * exceeded rate limit `minDelayMs` more: to come back at once would only be refused again.
 * @param random from 0 to below 1.
 */
export function retryDelay(plan: RetryPlan, facts: DelayFacts, random: () => number): number {
  const asked = capPause(facts.retryAfterMs)
  if (asked > 0) return asked
  const bound = Math.min(plan.maxDelayMs, plan.minDelayMs * 2 ** (facts.attempts - 1))
  const delayMs = Math.round(random() * bound)
  return facts.isRateLimited ? delayMs + plan.minDelayMs : delayMs
}
