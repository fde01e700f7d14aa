import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ConfigurationError, isTransferCompleted, parsePayload } from '@tonplug/core'
import type { Decision, Order, Refusal, TransferData } from '@tonplug/core'
import { toNodeRequest } from './platform-request.js'
import type { PlatformRequest } from './platform-request.js'
import { findReceived } from './received-deliveries.js'
import { findSigner } from './signer.js'
import type { ReceivedDelivery } from './webhook-endpoint.js'

/**
 * The transfer of a delivery, a `TransferData`; on routes with {@link SignatureGuard}. `undefined` for another event
 * that `unsupportedEvent: 'acknowledge'` let through.
 */
export const Transfer = createParamDecorator<void>((_data, context): TransferData | undefined => {
  const { rawBody } = receivedIn(context, '@Transfer()')
  if (rawBody === undefined) return undefined
  const payload = parsePayload(rawBody)
  return isTransferCompleted(payload) ? payload.data : undefined
})

/**
 * The order of a delivery as it is now, your repository's type; on routes with {@link SignatureGuard}. `null` when no
 * order has the reference.
 */
export const WebhookOrder = createParamDecorator<void>(
  async (_data, context): Promise<Order | null> => {
    const received = receivedIn(context, '@WebhookOrder()')
    const { decision } = received.answer
    if (!('reference' in decision)) return null
    const signedWith = await findSigner(received)
    return received.instance.options.orders.findByReference(decision.reference, { signedWith })
  },
)

/** What was concluded about a delivery, a `Decision`; on routes with {@link SignatureGuard}. */
export const WebhookDecision = createParamDecorator<void>(
  (_data, context): Decision | Refusal => receivedIn(context, '@WebhookDecision()').answer.decision,
)

function receivedIn(context: ExecutionContext, decorator: string): ReceivedDelivery {
  const request = context.switchToHttp().getRequest<PlatformRequest>()
  const received = findReceived(toNodeRequest(request))
  if (received !== undefined) return received
  throw new ConfigurationError({
    option: decorator,
    problem: 'the route has no SignatureGuard; add @UseGuards(SignatureGuard) to it',
  })
}
