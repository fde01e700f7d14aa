import { useRef } from 'preact/hooks'
import { describeDecision } from '../../text/decisions.js'
import type { OpenOrder, OrderPayment } from '../state.js'
import { describeStatus } from './shop-statuses.js'
import { variantName } from './variant-names.js'

/** Announces payments and the shop's decisions to screen readers, except those before the page was opened. */
export function PaymentAnnouncement({ orders }: { orders: readonly OpenOrder[] }) {
  const payments = orders.flatMap(({ shop, payments: own }) =>
    own.map((payment) => ({ ...payment, shop })),
  )
  const newest = payments.toSorted((one, other) => other.id - one.id)[0]
  const first = useRef(newest?.id)
  const isNew = newest !== undefined && newest.id !== first.current
  return (
    <p id="payment-announcement" class="for-readers" role="status">
      {isNew && `${variantName(newest.variant)}: ${outcomeOf(newest)}`}
    </p>
  )
}

function outcomeOf({ refusal, decision, shop }: OrderPayment & Pick<OpenOrder, 'shop'>): string {
  if (refusal !== null) return refusal
  return decision === null ? describeStatus(shop).text : describeDecision(decision).rule
}
