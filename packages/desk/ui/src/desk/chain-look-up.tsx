import { useState } from 'preact/hooks'
import type { ChainLookUp as LookUp, Session } from '../../../src/api.js'
import { Timestamp } from '../components/timestamp.js'
import { lookUp } from './api-client.js'
import { LookButton } from './look-button.js'
import { TransferTable } from './transfer-table.js'

/** Offers to look for a hash on the chain, and shows what was found. */
export function ChainLookUp({
  hash,
  session,
  onLook,
}: {
  hash: string
  session: Session
  onLook: () => void
}) {
  const [found, setFound] = useState<LookUp>()
  const [isBusy, setBusy] = useState(false)
  const look = async (): Promise<void> => {
    setBusy(true)
    const result = await lookUp(hash, session).catch((error: unknown): LookUp => {
      const text = error instanceof Error ? error.message : String(error)
      return { sentences: [text], payments: [] }
    })
    setBusy(false)
    setFound(result)
  }
  return (
    <>
      <p>
        <button type="button" class="primary" disabled={isBusy} onClick={() => void look()}>
          {isBusy ? 'Looking…' : 'Look on the chain'}
        </button>
      </p>
      <div role="status">
        {found?.paidAtMs !== undefined && (
          <p class="hint">
            On the chain since <Timestamp atMs={found.paidAtMs} />
          </p>
        )}
        {found?.sentences.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {found && found.payments.length > 0 && <TransferTable transfers={found.payments} />}
      {found?.isMissing === true && <LookButton session={session} onDone={onLook} />}
    </>
  )
}
