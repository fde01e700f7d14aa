import { type KilledScene, paidOnce } from '../scene.js'

/** Payments whose shop dies at the worst moment. All that it remembered is on the disk. */
export const killScenes: readonly KilledScene[] = [
  {
    sent: 'a payment; killed before the answer',
    killed: { at: 'decision', restartAfterMs: 0 },
    promised: { answers: 'no answer, 200', decisions: 'paid', ...paidOnce },
  },
  {
    sent: 'a payment; killed after the answer, before the handler',
    killed: { at: 'handlers', restartAfterMs: 0 },
    promised: { answers: '200', decisions: 'paid', ...paidOnce },
  },
  {
    sent: 'a payment; killed in the middle of the handler, back after 2 minutes',
    killed: { at: 'parcel', restartAfterMs: 120_000 },
    promised: { answers: '200', decisions: 'paid', ...paidOnce, handlers: 'onPaid ×2' },
  },
]
