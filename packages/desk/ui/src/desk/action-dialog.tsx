import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { ActionResult } from '../../../src/api.js'
import type { OutcomeText } from './outcome.js'

/** Props of {@link ActionDialog}. */
export interface ActionDialogProps {
  label: string
  /** Fields besides the note. */
  children?: ComponentChildren
  /** Performs the action with the fields that are not empty. */
  onSubmit: (fields: Partial<Record<string, string>>) => Promise<ActionResult>
  onDone: (outcome: OutcomeText) => void
}

/** States of refunds, and decisions about attached payments, that need no more work of the operator now. */
const ACHIEVED = ['proposed', 'waiting', 'sent', 'refunded', 'paid', 'verifying']

/** A button, and the dialog that confirms its action. */
export function ActionDialog({ label, children, onSubmit, onDone }: ActionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true)
    setProblem('')
    try {
      const { message, reason, request, state } = await onSubmit(readFields(form))
      const text = reason === undefined ? message : `${message} ${reason}`
      dialog.current?.close()
      form.reset()
      onDone({ isSuccess: state === undefined || ACHIEVED.includes(state), text, request })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-labelledby={titleId}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            void submit(event.currentTarget)
          }}
        >
          <h2 id={titleId}>{label}</h2>
          {children}
          <label>
            Note for the audit record
            <textarea name="note" rows={2} maxLength={500} />
          </label>
          <p class="problem" role="alert" hidden={problem === ''}>
            {problem}
          </p>
          <div class="actions">
            <button class="primary" type="submit" disabled={isBusy}>
              {label}
            </button>
            <button type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
          </div>
        </form>
      </dialog>
    </>
  )
}

function readFields(form: HTMLFormElement): Partial<Record<string, string>> {
  const given = [...new FormData(form)].flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : [],
  )
  return Object.fromEntries(given)
}
