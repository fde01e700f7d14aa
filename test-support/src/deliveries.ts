import { signPayload, transferCompleted, type SignedPayload } from '@tonplug/testing'

const MALFORMED = '{"event":"transfer.completed",'
const OTHER_SECRET = 'whsec_of_another_merchant'

export type DeliveryName =
  'valid' | 'wrongSignature' | 'malformedWrongSignature' | 'malformedRightSignature'

/** Signs the four deliveries of a valid or malformed body with the right or a wrong secret. */
export function signDeliveries(secret: string): Record<DeliveryName, SignedPayload> {
  return {
    valid: signPayload(transferCompleted(), secret),
    wrongSignature: signPayload(transferCompleted(), OTHER_SECRET),
    malformedWrongSignature: signPayload(MALFORMED, OTHER_SECRET),
    malformedRightSignature: signPayload(MALFORMED, secret),
  }
}
