import { sampleSuccess } from '../sample-payloads.js'
import { type GatewayScenario, paidOnce } from '../scenario.js'

/** Deliveries that are repeated, or arrive before the shop is ready. */
export const repetitionScenarios: readonly GatewayScenario[] = [
  {
    sent: 'the same delivery fifty times concurrently',
    promised: { answers: '200 ×50', decisions: 'paid, duplicate ×49', ...paidOnce },
    async run(shop) {
      const reference = await shop.buy('hoodie')
      await shop.deliver(sampleSuccess(reference), { times: 50 })
      return reference
    },
  },
  {
    sent: 'a payment whose order appears a second later',
    options: { transferDelayMs: 1000 },
    promised: {
      answers: '200',
      decisions: 'unmatched, paid',
      order: paidOnce.order,
      handlers: 'onUnknownOrder, onPaid',
    },
    async run(shop) {
      const buying = shop.buy('hoodie')
      await shop.deliver(sampleSuccess(await shop.firstReference))
      return buying
    },
  },
  {
    sent: 'a payment while the shop is down, retried after 1 s and 5 s',
    options: { outages: 2 },
    promised: { answers: '500 ×2, 200', decisions: 'paid', ...paidOnce },
    async run(shop) {
      const reference = await shop.buy('hoodie')
      await shop.deliver(sampleSuccess(reference))
      return reference
    },
  },
]
