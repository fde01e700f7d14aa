import { TonplugError } from '../shared/tonplug-error.js'

/**
 * Processing a webhook threw because of a programming error, for example in one of the shop's own rules. `cause` is the
 * thrown value. `message` and `stack` do not contain it, because frameworks send them to the client.
 */
export class WebhookFailedError extends TonplugError {
  override readonly name = 'WebhookFailedError'
  readonly code = 'ERR_TONPLUG_WEBHOOK_FAILED'
  /** The status that Express responds with. */
  readonly status = 500
  /** The status that Fastify responds with. */
  readonly statusCode = 500
  /** Error handlers must not send the message. */
  readonly expose = false

  constructor(facts: { cause: unknown }) {
    super({ message: 'The webhook could not be processed', details: {}, cause: facts.cause })
    this.stack = `${this.name}: ${this.message}`
  }
}
