import type { RefundToSign, Session } from '../../../src/api.js'
import { CodeBlock } from '../components/code-block.js'
import { CopyButton } from '../components/copy-button.js'
import { CopyableCode } from '../components/copyable-code.js'
import { Facts } from '../components/facts.js'
import { QrCode } from '../components/qr-code.js'
import type { PaymentProps } from './payment-props.js'
import { WalletSigner } from './wallet-signer.js'

/** A refund to sign: with a link and a QR code, with TON Connect, or as a request to copy. */
export function RefundPanel({
  refund,
  session,
  onDone,
}: {
  refund: RefundToSign
  session: Session
  onDone: PaymentProps['onDone']
}) {
  const { reportId, wallet, link, request } = refund
  const { tonConnect } = session
  return (
    <section class="refund" aria-label="Refund to sign">
      <Facts facts={[['Sign with', <CopyableCode name="the wallet" value={wallet} />]]} />
      {link === undefined && tonConnect !== undefined && (
        <WalletSigner
          key={reportId}
          refund={refund}
          session={session}
          tonConnect={tonConnect}
          onDone={onDone}
        />
      )}
      {link === undefined && tonConnect === undefined && (
        <p>
          This coin is a jetton: wallets do not open its refund by a link, and this desk has no TON
          Connect. Copy the request, and send it with an app that has TON Connect.
        </p>
      )}
      {link !== undefined && (
        <>
          <Unguarded />
          <QrCode text={link} name="QR code of the refund" />
          <p class="actions">
            <a class="button primary" href={link}>
              Open the wallet
            </a>
            <CopyButton name="Copy the link" label="Copy the link" text={link} />
          </p>
        </>
      )}
      <details>
        <summary>Request of TON Connect</summary>
        {link === undefined && <Unguarded />}
        <CodeBlock name="Request of TON Connect" text={JSON.stringify(request, null, 2)} />
      </details>
    </section>
  )
}

/** The desk does not see who opens a link, or sends a request that was copied. */
function Unguarded() {
  return <p>The desk cannot stop a second signature: agree on who signs.</p>
}
