import { createWebhookReceiver } from '@tonplug/core'
import type { Payments, SecretResolver, WebhookReceiver } from '@tonplug/core'
import type { TonplugWebhookOptions } from '../tonplug.options.js'
import { storeMerchant } from './merchant-of.js'

/**
 * Returns the receiver of an instance.
 * @throws {ConfigurationError} when an option is missing or invalid.
 */
export function receiverOf(options: TonplugWebhookOptions, payments: Payments): WebhookReceiver {
  const { secrets } = options
  const resolver = typeof secrets === 'function' ? storingMerchants(secrets) : secrets
  return createWebhookReceiver({ ...options, secrets: resolver, payments })
}

/** The resolver is called once per request; `@WebhookOrder()` needs the merchant later. */
function storingMerchants(resolve: SecretResolver): SecretResolver {
  return async (request) => {
    const resolved = await resolve(request)
    // A resolver without types may return anything; the receiver checks it.
    const { merchant } = (resolved ?? {}) as Partial<typeof resolved>
    if (typeof merchant === 'string') storeMerchant(request.headers, merchant)
    return resolved
  }
}
