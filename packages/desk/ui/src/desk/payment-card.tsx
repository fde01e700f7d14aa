import { useId } from 'preact/hooks'
import { Timestamp } from '../components/timestamp.js'
import { PaymentActions } from './payment-actions.js'
import type { PaymentProps } from './payment-props.js'
import { SituationBadge } from './situation-badge.js'

/** The facts of a payment, and the actions of an operator. */
export function PaymentCard({
  payment,
  isOnly,
  session,
  onDone,
}: PaymentProps & {
  /** The title of the page shows its state. */
  isOnly: boolean
}) {
  const id = useId()
  const { situation, refund } = payment
  return (
    <section class="card situation" aria-labelledby={id}>
      <p class="happened" id={id}>
        {!isOnly && <SituationBadge situation={situation} />} {situation.happened}
      </p>
      {refund && situation.state === 'refund_open' && (
        <p>
          {refund.by} opened it on <Timestamp atMs={refund.openedAtMs} />
          {refund.reason !== undefined && ` (${refund.reason})`}. It can be signed until{' '}
          <Timestamp atMs={refund.validUntilMs} />.
        </p>
      )}
      {situation.todo !== undefined && <p>{situation.todo}</p>}
      <PaymentActions payment={payment} session={session} onDone={onDone} />
    </section>
  )
}
