import type { LoggedAttempt } from './attempt.js'

/** The log of attempts; beyond its limit the oldest are deleted. */
export interface DeliveryLog {
  add(attempt: LoggedAttempt): void
  /** In the sequence in which they ended. */
  list(): LoggedAttempt[]
  clear(): void
  /** Calls `listener` after each attempt. Returns the function that unsubscribes. */
  subscribe(listener: (attempt: LoggedAttempt) => void): () => void
}

/** Creates an empty log for at most `limit` attempts. */
export function createDeliveryLog(limit: number): DeliveryLog {
  const attempts = new Set<LoggedAttempt>()
  const listeners = new Set<(attempt: LoggedAttempt) => void>()
  return {
    add(attempt) {
      attempts.add(attempt)
      const [oldest] = attempts
      if (attempts.size > limit && oldest !== undefined) attempts.delete(oldest)
      for (const listener of listeners) listener(attempt)
    },
    clear: () => attempts.clear(),
    list: () => [...attempts],
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
