import { useRef } from 'preact/hooks'
import type { OpenOrder } from '../state.js'
import { describeStatus } from './shop-statuses.js'
import { variantName } from './variant-names.js'

/** Announces payments and their status to screen readers, except those before the page was opened. */
export function PaymentAnnouncement({ orders }: { orders: readonly OpenOrder[] }) {
  const payments = orders.flatMap((order) => order.payments)
  const newest = payments.toSorted((one, other) => other.id - one.id)[0]
  const first = useRef(newest?.id)
  const isNew = newest !== undefined && newest.id !== first.current
  return (
    <p id="payment-announcement" class="for-readers" role="status">
      {isNew && `${variantName(newest.variant)}: ${newest.refusal ?? describeStatus(newest).text}`}
    </p>
  )
}
