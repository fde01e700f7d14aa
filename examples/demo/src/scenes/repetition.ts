import { sampleSuccess } from '../sample-payloads.js'
import { type PlayedScene, paidOnce } from '../scene.js'

/** Deliveries that come again, or come when nobody is ready for them. */
export const repetitionScenes: readonly PlayedScene[] = [
  {
    sent: 'the same delivery fifty times at once',
    promised: { answers: '200 ×50', decisions: 'paid, duplicate ×49', ...paidOnce },
    async play(stage) {
      const reference = await stage.buy('hoodie')
      await stage.deliver(sampleSuccess(reference), { times: 50 })
      return reference
    },
  },
  {
    sent: 'a payment whose order appears a second later',
    stage: { transferDelayMs: 1000 },
    promised: {
      answers: '200',
      decisions: 'unmatched, paid',
      order: paidOnce.order,
      handlers: 'onUnmatched, onPaid',
    },
    async play(stage) {
      const buying = stage.buy('hoodie')
      await stage.deliver(sampleSuccess(await stage.firstReference))
      return buying
    },
  },
  {
    sent: 'a payment while the shop is down, retried after 1 s and 5 s',
    stage: { outages: 2 },
    promised: { answers: '500 ×2, 200', decisions: 'paid', ...paidOnce },
    async play(stage) {
      const reference = await stage.buy('hoodie')
      await stage.deliver(sampleSuccess(reference))
      return reference
    },
  },
]
