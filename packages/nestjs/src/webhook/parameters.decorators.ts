import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ConfigurationError, isTransferCompleted, parsePayload } from '@tonplug/core'
import type { Decision, Order, Refusal, TransferData } from '@tonplug/core'
import { merchantOf } from './merchant-of.js'
import { toNodeRequest } from './platform-request.js'
import type { PlatformRequest } from './platform-request.js'
import { findReceived } from './received-deliveries.js'
import type { ReceivedDelivery } from './webhook-endpoint.js'

/**
 * Injects the transfer of a delivery, a `TransferData`; on routes with {@link SignatureGuard}. `undefined` for another
 * event that `unsupportedEvent: 'acknowledge'` accepted.
 */
export const Transfer = createParamDecorator<void>((_data, context): TransferData | undefined => {
  const { rawBody } = receivedIn(context, '@Transfer()')
  if (rawBody === undefined) return undefined
  const payload = parsePayload(rawBody)
  return isTransferCompleted(payload) ? payload.data : undefined
})

/**
 * Injects the order of a delivery as it is now, of the repository's type; on routes with {@link SignatureGuard}. `null`
 * when no order of the merchant has the reference.
 */
export const WebhookOrder = createParamDecorator<void>(
  async (_data, context): Promise<Order | null> => {
    const { answer, instance, request } = receivedIn(context, '@WebhookOrder()')
    if (!('reference' in answer.decision)) return null
    const { reference } = answer.decision
    return instance.payments.orders.find({ reference, merchant: merchantOf(request.headers) })
  },
)

/** Injects the decision about a delivery, a `Decision`; on routes with {@link SignatureGuard}. */
export const WebhookDecision = createParamDecorator<void>(
  (_data, context): Decision | Refusal => receivedIn(context, '@WebhookDecision()').answer.decision,
)

function receivedIn(context: ExecutionContext, decorator: string): ReceivedDelivery {
  const request = context.switchToHttp().getRequest<PlatformRequest>()
  const received = findReceived(toNodeRequest(request))
  if (received !== undefined) return received
  throw new ConfigurationError({
    option: decorator,
    problem: 'requires SignatureGuard on the route; add @UseGuards(SignatureGuard)',
  })
}
