import { sampleFailure, sampleRefund, sampleSuccess } from '../sample-payloads.js'
import { type PlayedScene, buyAndDeliver, paidOnce, untouched } from '../scene.js'

/** What the gateway says happened: success, failure, or something that is not understood. */
export const statusScenes: readonly PlayedScene[] = [
  {
    sent: 'the documented sample of a payment',
    promised: { answers: '200', decisions: 'paid', ...paidOnce },
    play: buyAndDeliver('hoodie', sampleSuccess),
  },
  {
    sent: 'the documented sample of a failed transfer',
    promised: { answers: '200', decisions: 'failed', order: 'failed', handlers: 'onFailed' },
    play: buyAndDeliver('hoodie', sampleFailure),
  },
  {
    sent: 'a failed transfer, then a payment',
    promised: {
      answers: '200 ×2',
      decisions: 'failed, paid',
      order: paidOnce.order,
      handlers: 'onFailed, onPaid',
    },
    async play(stage) {
      const reference = await stage.buy('hoodie')
      await stage.deliver(sampleFailure(reference))
      await stage.deliver(sampleSuccess(reference))
      return reference
    },
  },
  {
    sent: 'transfer.refunded, and its three retries',
    stage: { isHurried: true },
    promised: { answers: '400 ×4', decisions: 'unsupported_event ×4', ...untouched },
    play: buyAndDeliver('hoodie', sampleRefund),
  },
]
