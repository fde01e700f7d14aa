import { TonplugError } from './tonplug-error.js'

/** An option is missing or cannot work. Thrown at start, before anything is received. */
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
