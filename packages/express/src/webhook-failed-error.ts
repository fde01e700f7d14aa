import { TonplugError } from '@tonplug/core'

/**
 * Processing a webhook threw, because of a programming error such as a rule of the shop's own that throws.
 * `cause` is what was thrown; `message` and `stack` say nothing of it, since Express shows the stack to the sender
 * unless `NODE_ENV` is `production`.
 */
export class WebhookFailedError extends TonplugError {
  override readonly name = 'WebhookFailedError'
  readonly code = 'ERR_TONPLUG_WEBHOOK_FAILED'
  /** What Express answers to the sender. */
  readonly status = 500
  /** Tells error handlers to keep the message from the sender. */
  readonly expose = false

  constructor(facts: { cause: unknown }) {
    super({
      message: 'The webhook could not be processed',
      details: {},
      cause: facts.cause,
    })
    this.stack = `${this.name}: ${this.message}`
  }
}
