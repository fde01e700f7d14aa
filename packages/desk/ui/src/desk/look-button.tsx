import { useState } from 'preact/hooks'
import type { Session } from '../../../src/api.js'
import { act } from './api-client.js'
import type { OutcomeText } from './outcome.js'

/** Lets the watcher read the chain now; hidden without a watcher. */
export function LookButton({
  session,
  onDone,
}: {
  session: Session
  onDone: (outcome: OutcomeText) => void
}) {
  const [isBusy, setBusy] = useState(false)
  if (!session.mayAct || !session.actions.includes('look')) return null
  const look = async (): Promise<void> => {
    setBusy(true)
    const outcome = await act('look', {}, session).then(
      ({ message }) => ({ isSuccess: true, text: message, by: session.operator }),
      (error: unknown) => ({
        isSuccess: false,
        text: error instanceof Error ? error.message : String(error),
        by: session.operator,
      }),
    )
    setBusy(false)
    onDone(outcome)
  }
  return (
    <button type="button" disabled={isBusy} onClick={() => void look()}>
      Look at the chain now
    </button>
  )
}
