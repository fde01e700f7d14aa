import { type KillScenario, paidOnce } from '../scenario.js'

/** Payments whose shop is killed. Its data is on disk. */
export const killScenarios: readonly KillScenario[] = [
  {
    sent: 'a payment; killed before the response',
    killedAt: 'decision',
    promised: { answers: 'no answer, 200', decisions: 'paid', ...paidOnce },
  },
  {
    sent: 'a payment; killed after the response, before the handler',
    killedAt: 'handlers',
    promised: { answers: '200', decisions: 'paid', ...paidOnce },
  },
  {
    sent: 'a payment; killed in the middle of the handler, which runs again after its lease of 12 s',
    killedAt: 'parcel',
    promised: { answers: '200', decisions: 'paid', ...paidOnce, handlers: 'onPaid ×2' },
  },
]
