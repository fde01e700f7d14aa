import { TonplugError } from './tonplug-error.js'

/** The order repository or the inbox failed, or broke its contract. The delivery is answered 503 and tried again. */
export class RepositoryError extends TonplugError<{ operation: string }> {
  override readonly name = 'RepositoryError'
  readonly code = 'ERR_TONPLUG_REPOSITORY'
  override readonly retryable = true

  constructor(facts: { operation: string; problem: string; cause?: unknown }) {
    super({
      message: `${facts.operation}: ${facts.problem}`,
      details: { operation: facts.operation },
      cause: facts.cause,
    })
  }
}
