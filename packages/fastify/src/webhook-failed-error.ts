import { TonplugError } from '@tonplug/core'

/**
 * Processing a webhook threw because of a programming error, for example in one of the shop's own rules. `cause` is the
 * thrown value. `message` does not contain it, because Fastify sends the message to the client.
 */
export class WebhookFailedError extends TonplugError {
  override readonly name = 'WebhookFailedError'
  readonly code = 'ERR_TONPLUG_WEBHOOK_FAILED'
  /** The status that Fastify responds with. */
  readonly statusCode = 500

  constructor(facts: { cause: unknown }) {
    super({
      message: 'The webhook could not be processed',
      details: {},
      cause: facts.cause,
    })
  }
}
