import { ConfigurationError, verifySignature } from '@tonplug/core'
import type { ReceivedDelivery } from './webhook-endpoint.js'

/**
 * The name of the secret that signed a delivery; the receiver keeps it to itself.
 * @throws {ConfigurationError} when none of the secrets did, any more.
 */
export async function findSigner(received: ReceivedDelivery): Promise<string> {
  const { instance, request, rawBody = '' } = received
  const { secrets, signatureEncoding: encoding } = instance.options
  const list = typeof secrets === 'function' ? await secrets(request) : secrets
  for (const name of instance.receiver.signatureHeaders) {
    const check = verifySignature(rawBody, request.headers[name], { secrets: list, encoding })
    if (check.isValid) return check.secretName
  }
  throw new ConfigurationError({
    option: 'secrets',
    problem:
      'the resolver answers other secrets for one request, each time it is asked; have it answer the same',
  })
}
