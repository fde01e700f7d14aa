import { sampleFailure, sampleRefund, sampleSuccess } from '../sample-payloads.js'
import { type GatewayScenario, buyAndDeliver, paidOnce, untouched } from '../scenario.js'

/** Reports of success, of failure, and of an unknown event. */
export const statusScenarios: readonly GatewayScenario[] = [
  {
    sent: 'the documented sample of a payment',
    promised: { answers: '200', decisions: 'paid', ...paidOnce },
    run: buyAndDeliver('hoodie', sampleSuccess),
  },
  {
    sent: 'the documented sample of a failed transfer',
    promised: { answers: '200', decisions: 'failed', order: 'failed', handlers: 'onFailed' },
    run: buyAndDeliver('hoodie', sampleFailure),
  },
  {
    sent: 'a failed transfer, then a payment',
    promised: {
      answers: '200 ×2',
      decisions: 'failed, paid',
      order: paidOnce.order,
      handlers: 'onFailed, onPaid',
    },
    async run(shop) {
      const reference = await shop.buy('hoodie')
      await shop.deliver(sampleFailure(reference))
      await shop.deliver(sampleSuccess(reference))
      return reference
    },
  },
  {
    sent: 'transfer.refunded, and its three retries',
    options: { hasFastRetries: true },
    promised: { answers: '400 ×4', decisions: 'unsupported_event ×4', ...untouched },
    run: buyAndDeliver('hoodie', sampleRefund),
  },
]
