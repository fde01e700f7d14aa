import { useId, useRef, useState } from 'preact/hooks'
import type { RestRequest, StoryPayment } from '../../../src/api.js'
import { CopyButton } from '../components/copy-button.js'
import { QrCode } from '../components/qr-code.js'
import { Timestamp } from '../components/timestamp.js'
import { load } from './api-client.js'

/** Shows the link with which the customer pays what is missing. */
export function RestButton({ payment: { reference, merchant } }: { payment: StoryPayment }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [rest, setRest] = useState<RestRequest>()
  const open = async (): Promise<void> => {
    const query = new URLSearchParams({ reference, merchant }).toString()
    const found = await load<RestRequest>(`api/rest?${query}`).catch((error: unknown) => ({
      problem: error instanceof Error ? error.message : String(error),
    }))
    setRest(found)
    dialog.current?.showModal()
  }
  return (
    <>
      <button type="button" onClick={() => void open()}>
        Ask for the rest
      </button>
      <dialog ref={dialog} aria-labelledby={titleId}>
        <div class="refund">
          <h2 id={titleId}>Ask for the rest</h2>
          {rest && <Rest rest={rest} />}
          <div class="actions">
            <button type="button" onClick={() => dialog.current?.close()}>
              Close
            </button>
          </div>
        </div>
      </dialog>
    </>
  )
}

function Rest({ rest: { amount, link, expiresAtMs, problem } }: { rest: RestRequest }) {
  if (link === undefined) return <p>{problem}</p>
  return (
    <>
      <p>
        Send this link to the customer, or let the customer scan the code. It asks for {amount}.
        {expiresAtMs !== undefined && (
          <>
            {' '}
            The price is valid until <Timestamp atMs={expiresAtMs} />.
          </>
        )}
      </p>
      <QrCode text={link} name="QR code of the rest" />
      <p>
        <CopyButton name="Copy the link" label="Copy the link" text={link} />
      </p>
    </>
  )
}
