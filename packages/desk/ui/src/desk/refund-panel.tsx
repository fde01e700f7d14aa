import type { RefundToSign } from '../../../src/api.js'
import { CodeBlock } from '../components/code-block.js'
import { CopyButton } from '../components/copy-button.js'
import { CopyableCode } from '../components/copyable-code.js'
import { Facts } from '../components/facts.js'
import { QrCode } from '../components/qr-code.js'
import { Timestamp } from '../components/timestamp.js'

/** A refund to sign: as a link and a QR code, or as a request to copy. */
export function RefundPanel({
  refund: { wallet, link, request, validUntilMs },
}: {
  refund: RefundToSign
}) {
  return (
    <section class="refund" aria-label="Refund to sign">
      <Facts
        facts={[
          ['Sign with', <CopyableCode name="the wallet" value={wallet} />],
          ['Until', <Timestamp atMs={validUntilMs} />],
        ]}
      />
      {link === undefined ? (
        <p>
          This coin is a jetton: wallets do not open its refund by a link. Copy the request and send
          it with TON Connect.
        </p>
      ) : (
        <>
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
        <CodeBlock name="Request of TON Connect" text={JSON.stringify(request, null, 2)} />
      </details>
    </section>
  )
}
