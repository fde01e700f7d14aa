import type { ActionRequests, DeskAction, Session } from '../../../src/api.js'
import { ActionDialog } from './action-dialog.js'
import { act } from './api-client.js'
import type { OutcomeText } from './outcome.js'

/** Props of {@link ActionButton}. */
export interface ActionButtonProps<A extends DeskAction> {
  action: A
  label: string
  session: Session
  /** Returns the body of the request. @param note why, for the audit record */
  request: (note: string | undefined) => ActionRequests[A]
  onDone: (outcome: OutcomeText) => void
}

/** Asks for a note and performs an action; hidden if the operator may not do it. */
export function ActionButton<A extends DeskAction>({
  action,
  label,
  session,
  request,
  onDone,
}: ActionButtonProps<A>) {
  if (!session.mayAct || !session.actions.includes(action)) return null
  return (
    <ActionDialog
      label={label}
      onSubmit={({ note }) => act(action, request(note), session)}
      onDone={onDone}
    />
  )
}
