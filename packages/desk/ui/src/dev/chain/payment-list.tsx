import { Badge } from '../../components/badge.js'
import { CopyableCode } from '../../components/copyable-code.js'
import { Timestamp } from '../../components/timestamp.js'
import { decisionName, describeDecision } from '../../text/decisions.js'
import { amountText, type OrderPayment } from '../state.js'
import { variantName } from './variant-names.js'

/** The payments of an order, newest first, each with the shop's decision. */
export function PaymentList({ payments }: { payments: readonly OrderPayment[] }) {
  if (payments.length === 0) return null
  return (
    <ul class="plain payments" aria-label="Payments">
      {payments.map((payment) => (
        <Payment key={payment.id} payment={payment} />
      ))}
    </ul>
  )
}

function Payment({ payment }: { payment: OrderPayment }) {
  const { variant, sender, txHash, atMs, refusal, decision } = payment
  return (
    <li class="payment">
      <p class="with-action">
        <span>
          <strong>{variantName(variant)}</strong>{' '}
          {refusal === null && <span class="number">{`${amountText(payment)}, ${sender}`}</span>}
        </span>
        <Timestamp atMs={atMs} />
      </p>
      {refusal === null ? (
        <>
          {decision !== null && <Decision kind={decision} />}
          {txHash !== null && <CopyableCode name="the transaction" value={txHash} isShort />}
        </>
      ) : (
        <p class="problem">{refusal}</p>
      )}
    </li>
  )
}

function Decision({ kind }: { kind: string }) {
  const { tone, rule } = describeDecision(kind)
  return (
    <p class="decision">
      <Badge tone={tone}>{`shop: ${decisionName(kind)}`}</Badge> <span>{rule}</span>
    </p>
  )
}
