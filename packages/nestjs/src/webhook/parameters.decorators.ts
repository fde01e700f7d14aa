import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ConfigurationError, isTransferCompleted, parsePayload } from '@tonplug/core'
import type { Decision, Order, Refusal } from '@tonplug/core'
import { merchants } from '../instances.js'
import { findBytes } from './raw-body.js'
import type { PlatformRequest } from './raw-body.js'
import { findReceived } from './webhook-endpoint.js'
import type { ReceivedDelivery } from './webhook-endpoint.js'

/**
 * Injects the transfer of a delivery, a `TransferData`; on routes with {@link SignatureGuard}. `undefined` for another
 * event that `unsupportedEvent: 'acknowledge'` accepted.
 */
export const Transfer = createParamDecorator<void>((_data, context: ExecutionContext) => {
  receivedIn(context, '@Transfer()')
  const bytes = findBytes(context.switchToHttp().getRequest<PlatformRequest>())
  const payload = bytes && parsePayload(bytes)
  return payload && isTransferCompleted(payload) ? payload.data : undefined
})

/**
 * Injects the order of a delivery as it is now, of the repository's type; on routes with {@link SignatureGuard}. `null`
 * when no order of the merchant has the reference.
 */
export const WebhookOrder = createParamDecorator<void>(
  async (_data, context): Promise<Order | null> => {
    const { answer, instance, headers } = receivedIn(context, '@WebhookOrder()')
    if (!('reference' in answer.decision)) return null
    const { reference } = answer.decision
    const merchant = merchants.get(headers) ?? ''
    return instance.payments.orders.find({ reference, merchant })
  },
)

/** Injects the decision about a delivery, a `Decision`; on routes with {@link SignatureGuard}. */
export const WebhookDecision = createParamDecorator<void>(
  (_data, context): Decision | Refusal => receivedIn(context, '@WebhookDecision()').answer.decision,
)

function receivedIn(context: ExecutionContext, decorator: string): ReceivedDelivery {
  const received = findReceived(context.switchToHttp().getRequest<PlatformRequest>())
  if (received !== undefined) return received
  throw new ConfigurationError({
    option: decorator,
    problem: 'requires SignatureGuard on the route; add @UseGuards(SignatureGuard)',
  })
}
