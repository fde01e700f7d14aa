import { useEffect, useRef, useState } from 'preact/hooks'
import type { DeskTonConnect, RefundSigning, RefundToSign, Session } from '../../../src/api.js'
import { QrCode } from '../components/qr-code.js'
import { Timestamp } from '../components/timestamp.js'
import { recordSigning } from './api-client.js'
import type { PaymentProps } from './payment-props.js'
import type { Signing } from './ton-connect.js'

type Step = Signing | { step: 'idle' } | { step: 'loading' }

/** Asks a wallet for a signature by TON Connect, whose code and bridges are loaded on request. */
export function WalletSigner({
  refund: { reportId, request, validUntilMs, signing: standing },
  session,
  tonConnect,
  onDone,
}: {
  refund: RefundToSign
  session: Session
  tonConnect: DeskTonConnect
  onDone: PaymentProps['onDone']
}) {
  const [signing, setSigning] = useState<Step>({ step: 'idle' })
  const [cancel, setCancel] = useState<AbortController>()
  const own = useRef<string | undefined>(undefined)
  useEffect(() => () => cancel?.abort(), [cancel])
  const beforeRequest = async (): Promise<void> => {
    const { id, problem = 'The server refused it.' } = await recordSigning({ reportId }, session)
    if (id === undefined) {
      onDone({ isSuccess: false, text: problem, by: session.operator })
      throw new Error(problem)
    }
    own.current = id
  }
  const finish = async (failed: Signing): Promise<void> => {
    const id = own.current
    // Where the request fails, the refund cannot be signed again.
    if (id !== undefined) await recordSigning({ reportId, id }, session).catch(() => undefined)
    setSigning(failed)
  }
  const onStep = (next: Signing): void => {
    if (next.step === 'failed') void finish(next)
    else setSigning(next)
  }
  const start = async (): Promise<void> => {
    const controller = new AbortController()
    setCancel(controller)
    setSigning({ step: 'loading' })
    try {
      const { signRequest } = await import('./ton-connect.js')
      const { signal } = controller
      await signRequest(tonConnect, request, { signal, onStep, beforeRequest })
    } catch {
      onStep({ step: 'failed', reason: 'TON Connect could not be loaded.' })
    }
  }
  const isWaiting = signing.step === 'idle' || signing.step === 'failed'
  const isOther = standing !== undefined && standing.id !== own.current
  if (isWaiting && isOther) {
    return <OtherSigning signing={standing} validUntilMs={validUntilMs} />
  }
  return (
    <>
      <p role="status" data-step={signing.step}>
        {textOf(signing)}
        {signing.step === 'unclear' && <IfNothingArrives validUntilMs={validUntilMs} />}
      </p>
      {signing.step === 'connect' && <ConnectLink link={signing.link} />}
      {isWaiting && (
        <p class="actions">
          <button type="button" class="primary" onClick={() => void start()}>
            Sign with a wallet
          </button>
        </p>
      )}
    </>
  )
}

function OtherSigning({
  signing: { by, sinceMs },
  validUntilMs,
}: {
  signing: RefundSigning
  validUntilMs: number
}) {
  return (
    <p role="status" data-step="other">
      {by} has been signing since <Timestamp atMs={sinceMs} />. A wallet has the refund, and may
      have sent it: this page shows when it has arrived.
      <IfNothingArrives validUntilMs={validUntilMs} />
    </p>
  )
}

/** The wallet cannot send the refund after its end. */
function IfNothingArrives({ validUntilMs }: { validUntilMs: number }) {
  return (
    <>
      {' '}
      If nothing has arrived five minutes after <Timestamp atMs={validUntilMs} />, the page offers
      another one.
    </>
  )
}

function textOf(signing: Step): string {
  switch (signing.step) {
    case 'idle':
      return 'This coin is a jetton: its refund is signed with TON Connect.'
    case 'loading':
      return 'TON Connect is loading.'
    case 'connect':
      return 'Scan the code with the wallet that was paid, or open the wallet on this device.'
    case 'confirm':
      return 'Confirm the refund in the wallet, once.'
    case 'signed':
      return 'The wallet has sent the refund. This page shows when it has arrived.'
    case 'failed':
      return `Nothing was signed. ${signing.reason}`
    case 'unclear':
      return 'The wallet has the refund, and may have sent it. Do not sign it again: this page shows when it has arrived.'
  }
}

function ConnectLink({ link }: { link: string }) {
  return (
    <>
      <QrCode text={link} name="QR code that connects the wallet" />
      <p class="actions">
        <a class="button primary" href={link}>
          Open the wallet
        </a>
      </p>
    </>
  )
}
