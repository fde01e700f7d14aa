import { backoffDelay } from '../../shared/backoff.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { TonplugError } from '../../shared/tonplug-error.js'
import { HttpStatusError, RateLimitError } from '../errors/http.js'
import { capPause } from '../transport/servers.js'
import { hasNoConnections } from './link.js'
import type { ResolvedStreamOptions } from './options.js'

/** Between two attempts to connect. */
const BACKOFF = { minDelayMs: 1000, maxDelayMs: 60_000 }
/** The delay after a refusal that only another plan, key or subscription ends. */
const REFUSED_DELAY_MS = 300_000

/** Why there is no connection, and when to connect again. Logs one line when it begins, and one when it ends. */
export interface Outage {
  /** The last failure since a connection succeeded. */
  readonly error: TonplugError | undefined
  /** When the next attempt begins, by the clock. */
  readonly retryAtMs: number
  /** @param isFirst the connection was stable before */
  fail(error: TonplugError, isFirst?: boolean): void
  end(): void
}

export function createOutage({ clock, random, logger }: ResolvedStreamOptions): Outage {
  let failures = 0
  let retryAtMs = -Infinity
  let error: TonplugError | undefined
  return {
    get error() {
      return error
    },
    get retryAtMs() {
      return retryAtMs
    },
    fail(failure, isFirst = false) {
      if (error === undefined) {
        logger.warn('stream not connected; API v3 is polled instead', {
          error: errorFacts(failure),
        })
      }
      failures = isFirst ? 1 : failures + 1
      error = failure
      const longestMs = isRefused(failure) ? REFUSED_DELAY_MS : backoffDelay(BACKOFF, failures)
      const asked = failure instanceof RateLimitError ? failure.details.retryAfterMs : undefined
      retryAtMs = clock.nowMs() + Math.max(longestMs * (0.5 + random() / 2), capPause(asked))
    },
    end() {
      if (error !== undefined) logger.info('stream connected again')
      error = undefined
    },
  }
}

/** Returns true for a refusal that the same request would receive again. */
function isRefused(error: TonplugError): boolean {
  return hasNoConnections(error) || (error instanceof HttpStatusError && !error.retryable)
}
