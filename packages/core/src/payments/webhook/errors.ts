import { TonplugError } from '../../shared/tonplug-error.js'

/** The family of errors about one webhook request. */
export abstract class WebhookError<Details extends object = object> extends TonplugError<Details> {}

/** The exact bytes of the request are gone: something parsed the body before tonplug could read it. */
export class RawBodyUnavailableError extends WebhookError<{ found: string }> {
  override readonly name = 'RawBodyUnavailableError'
  readonly code = 'ERR_TONPLUG_RAW_BODY_UNAVAILABLE'

  /** @param facts.found the reason, as a clause. @param facts.fix what to change, as a clause in lower case. */
  constructor(facts: { found: string; fix: string }) {
    super({
      message: `The raw bytes of the webhook are gone because ${facts.found}; ${facts.fix}`,
      details: { found: facts.found },
    })
  }
}

/** The body is longer than `maxBodyBytes`. Body readers throw it. */
export class BodyTooLargeError extends WebhookError<{ maxBodyBytes: number }> {
  override readonly name = 'BodyTooLargeError'
  readonly code = 'ERR_TONPLUG_BODY_TOO_LARGE'

  constructor(facts: { maxBodyBytes: number }) {
    super({
      message: `The body is longer than ${facts.maxBodyBytes} bytes; raise maxBodyBytes if the gateway sends more`,
      details: { maxBodyBytes: facts.maxBodyBytes },
    })
  }
}

/** The sender went away before the body was complete. Body readers throw it. */
export class BodyIncompleteError extends WebhookError {
  override readonly name = 'BodyIncompleteError'
  readonly code = 'ERR_TONPLUG_BODY_INCOMPLETE'

  constructor(facts: { cause?: unknown } = {}) {
    super({
      message: 'The connection ended before the body was complete; the gateway sends it again',
      details: {},
      cause: facts.cause,
    })
  }
}
