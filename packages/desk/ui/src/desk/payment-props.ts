import type { Session, StoryPayment } from '../../../src/api.js'
import type { OutcomeText } from './outcome.js'

/** A payment, and what its actions need. */
export interface PaymentProps {
  payment: StoryPayment
  session: Session
  onDone: (outcome: OutcomeText) => void
}
