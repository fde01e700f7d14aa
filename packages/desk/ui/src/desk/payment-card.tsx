import { useId } from 'preact/hooks'
import type { StoryRefund } from '../../../src/api.js'
import { CopyableCode } from '../components/copyable-code.js'
import { Facts } from '../components/facts.js'
import { Timestamp } from '../components/timestamp.js'
import { PaymentActions } from './payment-actions.js'
import type { PaymentProps } from './payment-props.js'
import { RefundPanel } from './refund-panel.js'
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
      {refund && <RefundFacts refund={refund} />}
      {situation.todo !== undefined && <p>{situation.todo}</p>}
      {refund?.toSign && <RefundPanel refund={refund.toSign} session={session} onDone={onDone} />}
      <PaymentActions payment={payment} session={session} onDone={onDone} />
    </section>
  )
}

function RefundFacts({
  refund: { by, openedAtMs, reason, validUntilMs, txHash },
}: {
  refund: StoryRefund
}) {
  return (
    <>
      <p>
        {by} opened the refund on <Timestamp atMs={openedAtMs} />
        {reason !== undefined && ` (${reason})`}.
        {txHash === undefined && (
          <>
            {' '}
            It can be signed until <Timestamp atMs={validUntilMs} />.
          </>
        )}
      </p>
      {txHash !== undefined && (
        <Facts facts={[['Sent in', <CopyableCode name="the refund" value={txHash} isShort />]]} />
      )}
    </>
  )
}
