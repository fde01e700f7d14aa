import type { DeskAction, StoryPayment } from '../../../src/api.js'
import { ActionDialog } from './action-dialog.js'
import { act } from './api-client.js'
import { AssignButton } from './assign-button.js'
import type { PaymentProps } from './payment-props.js'
import { RestButton } from './rest-button.js'

/** The actions of an operator on a payment, the first action first. */
export function PaymentActions({ payment, session, onDone }: PaymentProps) {
  const allowed = payment.actions.filter((action) => session.actions.includes(action))
  const missing = payment.actions.filter((action) => !session.actions.includes(action))
  const isPart = payment.situation.state === 'partly_paid'
  if (payment.actions.length === 0 && !isPart) return null
  return (
    <>
      <div class="actions">
        {allowed.map((action, place) => (
          <PaymentAction
            key={action}
            action={action}
            isPrimary={place === 0}
            payment={payment}
            session={session}
            onDone={onDone}
          />
        ))}
        {isPart && <RestButton payment={payment} />}
      </div>
      {missing.length > 0 && (
        <p class="hint">
          Not among your actions on this desk: {missing.map((action) => VERBS[action]).join(', ')}.
        </p>
      )}
    </>
  )
}

const VERBS: Readonly<Record<DeskAction, string>> = {
  accept: 'accept what arrived',
  assign: 'assign it to an order',
  refund: 'send it back',
  reprocess: 'check it again',
  retry: 'run the task again',
  look: 'look at the chain now',
}

type ActionProps = PaymentProps & { isPrimary: boolean }

function PaymentAction({ action, ...props }: ActionProps & { action: DeskAction }) {
  switch (action) {
    case 'accept':
      return <AcceptButton {...props} />
    case 'assign':
      return <AssignButton {...props} />
    case 'refund':
      return <RefundButton {...props} />
    case 'reprocess':
    case 'retry':
      return <RepeatButton {...props} action={action} />
    case 'look':
      return null
  }
}

function AcceptButton({ payment, session, isPrimary, onDone }: ActionProps) {
  const { reportId, reference, merchant, amount, isOneOfSeveral } = payment
  const accepted = isOneOfSeveral ? { reference, merchant } : { reportId }
  const money = isOneOfSeveral ? 'everything that arrived for it' : (amount ?? 'this payment')
  return (
    <ActionDialog
      label="Accept what arrived"
      session={session}
      isPrimary={isPrimary}
      needsReason
      onSubmit={({ reason = '' }) => act('accept', { ...accepted, reason }, session)}
      onDone={onDone}
    >
      <p>The order becomes paid with {money}, whatever its price is.</p>
    </ActionDialog>
  )
}

function RefundButton({ payment, session, isPrimary, onDone }: ActionProps) {
  const { txHash: transactionHash, merchant, isNative } = payment
  return (
    <ActionDialog
      label={refundLabel(payment)}
      session={session}
      isPrimary={isPrimary}
      onSubmit={({ anyJetton, reason }) => {
        const insists = anyJetton === 'yes' ? anyJetton : undefined
        return act('refund', { transactionHash, merchant, anyJetton: insists, reason }, session)
      }}
      onDone={onDone}
    >
      <p>{refundText(payment)}</p>
      {!isNative && (
        <label class="check">
          <input type="checkbox" name="anyJetton" value="yes" />
          Also if no order asks for this coin. Its contracts can keep the 0.1 TON that is attached
          for fees.
        </label>
      )}
    </ActionDialog>
  )
}

function refundLabel({ refund, surplus }: StoryPayment): string {
  if (refund !== undefined) return 'Open another refund'
  return surplus === undefined ? 'Send it back' : 'Send the surplus back'
}

function refundText({ refund, surplus, amount = 'the money', sender }: StoryPayment): string {
  const returned = surplus ?? amount
  return refund === undefined
    ? `Opens a refund of ${returned} to ${sender ?? 'the sender'}. It can be signed for 10 minutes, once. From now on no order can be paid with this money.`
    : `Opens another refund of ${refund.amount}, unless the chain shows that the last one was signed.`
}

const REPEATED = { reprocess: 'Check it again', retry: 'Run the task again' }

function RepeatButton({
  action,
  payment: { reportId },
  session,
  isPrimary,
  onDone,
}: ActionProps & { action: 'reprocess' | 'retry' }) {
  return (
    <ActionDialog
      label={REPEATED[action]}
      session={session}
      isPrimary={isPrimary}
      onSubmit={({ reason }) => act(action, { reportId, reason }, session)}
      onDone={onDone}
    />
  )
}
