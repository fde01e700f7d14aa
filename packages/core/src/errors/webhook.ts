import { TonplugError } from './tonplug-error.js'

/** The family of errors about one webhook request. */
export abstract class WebhookError<Details extends object = object> extends TonplugError<Details> {}

/** One thing that is wrong with a payload; `path` is where, as in `data.rawAmount`. */
export interface PayloadIssue {
  path: string
  problem: string
}

/** An authentic body is not JSON, or not the shape of a webhook payload. */
export class PayloadError extends WebhookError<{ issues: readonly PayloadIssue[] }> {
  override readonly name = 'PayloadError'
  readonly code = 'ERR_TONPLUG_PAYLOAD'

  constructor(facts: { issues: readonly PayloadIssue[]; cause?: unknown }) {
    const list = facts.issues.map(({ path, problem }) =>
      path === '' ? problem : `${path}: ${problem}`,
    )
    super({
      message: `The webhook payload cannot be read: ${list.join('; ')}`,
      details: { issues: facts.issues },
      cause: facts.cause,
    })
  }
}

/** The exact bytes of the request are gone: something parsed the body before tonplug could read it. */
export class RawBodyUnavailableError extends WebhookError<{ found: string }> {
  override readonly name = 'RawBodyUnavailableError'
  readonly code = 'ERR_TONPLUG_RAW_BODY_UNAVAILABLE'

  /** @param facts.found what stands where the bytes should be. @param facts.fix what to change. */
  constructor(facts: { found: string; fix: string }) {
    super({
      message: `The signature covers the exact bytes of the body, and they are gone: ${facts.found}. ${facts.fix}`,
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

/** A rule given in the options threw. The delivery stays in the inbox and is decided again later. */
export class RuleError extends WebhookError<{ rule: string; reference: string }> {
  override readonly name = 'RuleError'
  readonly code = 'ERR_TONPLUG_RULE'

  constructor(facts: { rule: string; reference: string; cause: unknown }) {
    super({
      message: `The rule ${facts.rule} gave no verdict on the delivery for order ${JSON.stringify(facts.reference)}; see cause. Rules are pure and synchronous, and must not throw`,
      details: { rule: facts.rule, reference: facts.reference },
      cause: facts.cause,
    })
  }
}
