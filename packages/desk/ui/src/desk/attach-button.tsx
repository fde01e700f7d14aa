import type { Session } from '../../../src/api.js'
import { ActionDialog } from './action-dialog.js'
import { act } from './api-client.js'
import type { OutcomeText } from './outcome.js'

/** Asks for an order and attaches a transaction to it; hidden if the operator may not do it. */
export function AttachButton({
  transactionHash,
  merchant,
  session,
  onDone,
}: {
  transactionHash: string
  merchant: string
  session: Session
  onDone: (outcome: OutcomeText) => void
}) {
  if (!session.mayAct || !session.actions.includes('attach')) return null
  return (
    <ActionDialog
      label="Attach to an order"
      onSubmit={({ reference = '', note }) =>
        act('attach', { transactionHash, merchant, reference, note }, session)
      }
      onDone={onDone}
    >
      <label>
        Reference of the order
        <input name="reference" required autocomplete="off" spellcheck={false} />
      </label>
    </ActionDialog>
  )
}
