import { Badge } from '../../components/badge.js'
import { CopyableCode } from '../../components/copyable-code.js'
import { Timestamp } from '../../components/timestamp.js'
import { amountText, type OrderPayment } from '../state.js'
import { describeStatus } from './shop-statuses.js'
import { variantName } from './variant-names.js'

/** The payments of an order, newest first, each with the status that the shop gave the order after it. */
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
  const { variant, sender, txHash, atMs, refusal } = payment
  const { name, tone, text } = describeStatus(payment)
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
          <p class="decision">
            <Badge tone={tone}>{`shop: ${name}`}</Badge> <span>{text}</span>
          </p>
          {txHash !== null && <CopyableCode name="the transaction" value={txHash} isShort />}
        </>
      ) : (
        <p class="problem">{refusal}</p>
      )}
    </li>
  )
}
