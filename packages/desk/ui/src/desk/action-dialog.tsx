import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import type { ActionResult, Session } from '../../../src/api.js'
import type { OutcomeText } from './outcome.js'

/** Props of {@link ActionDialog}. */
export interface ActionDialogProps {
  label: string
  session: Session
  isPrimary?: boolean | undefined
  /** An action without a reason is not allowed. */
  needsReason?: boolean | undefined
  /** Fields besides the reason. */
  children?: ComponentChildren
  onOpen?: (() => void) | undefined
  /** Performs the action with the fields that are not empty. */
  onSubmit: (fields: Partial<Record<string, string>>) => Promise<ActionResult>
  onDone: (outcome: OutcomeText) => void
}

/** A button, and the dialog that confirms its action. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    label,
    session,
    isPrimary,
    needsReason = false,
    children,
    onOpen,
    onSubmit,
    onDone,
  } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (form: HTMLFormElement): Promise<void> => {
    setBusy(true)
    setProblem('')
    try {
      const { message, reason, isSuccess } = await onSubmit(readFields(form))
      const text = reason === undefined ? message : `${message} ${reason}`
      dialog.current?.close()
      form.reset()
      onDone({ isSuccess, text, by: session.operator })
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  const open = (): void => {
    onOpen?.()
    dialog.current?.showModal()
  }
  return (
    <>
      <button type="button" class={isPrimary ? 'primary' : undefined} onClick={open}>
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
            {needsReason ? 'Reason' : 'Reason (optional)'}
            <textarea name="reason" rows={2} maxLength={500} required={needsReason} />
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
