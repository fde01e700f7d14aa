import { TonplugError } from './tonplug-error.js'

/** An option or argument is missing or invalid. Thrown before any work starts. */
export class ConfigurationError extends TonplugError<{ option: string }> {
  override readonly name = 'ConfigurationError'
  readonly code = 'ERR_TONPLUG_CONFIGURATION'

  constructor(facts: { option: string; problem: string; cause?: unknown }) {
    super({
      message: `${facts.option}: ${facts.problem}`,
      details: { option: facts.option },
      cause: facts.cause,
    })
  }
}
