import { useEffect, useState } from 'preact/hooks'
import type { DeskTonConnect, RefundToSign } from '../../../src/api.js'
import { QrCode } from '../components/qr-code.js'
import type { Signing } from './ton-connect.js'

type Step = Signing | { step: 'idle' } | { step: 'loading' }

/** Asks a wallet for a signature by TON Connect, whose code and bridges are loaded on request. */
export function WalletSigner({
  tonConnect,
  request,
}: {
  tonConnect: DeskTonConnect
  request: RefundToSign['request']
}) {
  const mark = `tonplug-desk-signed:${request.validUntil}:${request.messages[0]?.payload}`
  const [signing, setSigning] = useState<Step>(() =>
    sessionStorage.getItem(mark) === null ? { step: 'idle' } : { step: 'unclear' },
  )
  const [cancel, setCancel] = useState<AbortController>()
  useEffect(() => () => cancel?.abort(), [cancel])
  const onStep = (next: Signing): void => {
    if (next.step === 'confirm') sessionStorage.setItem(mark, 'yes')
    if (next.step === 'failed') sessionStorage.removeItem(mark)
    setSigning(next)
  }
  const start = async (): Promise<void> => {
    const controller = new AbortController()
    setCancel(controller)
    setSigning({ step: 'loading' })
    try {
      const { signRequest } = await import('./ton-connect.js')
      await signRequest(tonConnect, request, { signal: controller.signal, onStep })
    } catch {
      onStep({ step: 'failed', reason: 'TON Connect could not be loaded.' })
    }
  }
  const isWaiting = signing.step === 'idle' || signing.step === 'failed'
  return (
    <>
      <p role="status" data-step={signing.step}>
        {textOf(signing)}
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
