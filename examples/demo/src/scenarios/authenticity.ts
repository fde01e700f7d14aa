import { sampleSuccess } from '../sample-payloads.js'
import { type GatewayScenario, untouched } from '../scenario.js'

const refused = { answers: '401 ×4', decisions: 'invalid_signature ×4', ...untouched }

/** Deliveries without a valid signature, each with its three retries. */
export const authenticityScenarios: readonly GatewayScenario[] = [
  {
    sent: 'a payment with one byte changed',
    options: { hasFastRetries: true },
    promised: refused,
    async run(shop) {
      const reference = await shop.buy('hoodie')
      await shop.deliver(sampleSuccess(reference), { corrupt: true })
      return reference
    },
  },
  {
    sent: 'a payment signed with another secret',
    options: { hasFastRetries: true },
    promised: refused,
    async run(shop) {
      const reference = await shop.buy('hoodie')
      await shop.deliver(sampleSuccess(reference), { secret: 'whsec_of_another_merchant' })
      return reference
    },
  },
]
