import { useRef, useState } from 'preact/hooks'
import type { OrderSuggestion, OrderSuggestions } from '../../../src/api.js'
import { Timestamp } from '../components/timestamp.js'
import { ActionDialog } from './action-dialog.js'
import { act, load } from './api-client.js'
import type { PaymentProps } from './payment-props.js'

/** Asks for an order, suggests some, and assigns a payment to it. */
export function AssignButton({
  payment: { reportId, txHash: transactionHash, merchant },
  session,
  isPrimary,
  onDone,
}: PaymentProps & { isPrimary: boolean }) {
  const field = useRef<HTMLInputElement>(null)
  const picked = useRef<OrderSuggestion>(undefined)
  const [orders, setOrders] = useState<readonly OrderSuggestion[]>([])
  const choose = (order: OrderSuggestion): void => {
    picked.current = order
    if (field.current) field.current.value = order.reference
  }
  const suggest = async (): Promise<void> => {
    const path = `api/suggestions?${new URLSearchParams({ reportId }).toString()}`
    // Without suggestions the operator enters the reference.
    const found = await load<OrderSuggestions>(path).catch(() => ({ orders: [] }))
    setOrders(found.orders)
    const [only, ...others] = found.orders
    if (only !== undefined && others.length === 0 && field.current?.value === '') choose(only)
  }
  return (
    <ActionDialog
      label="Assign to an order"
      session={session}
      isPrimary={isPrimary}
      onOpen={() => void suggest()}
      onSubmit={({ reference = '', reason }) => {
        // Orders of several merchants may have one reference.
        const isPicked = picked.current?.reference === reference
        const chosen = isPicked
          ? picked.current
          : orders.find((order) => order.reference === reference)
        const owner = merchant === '' ? (chosen?.merchant ?? '') : merchant
        return act('assign', { transactionHash, merchant: owner, reference, reason }, session)
      }}
      onDone={onDone}
    >
      <label>
        Order
        <input ref={field} name="reference" required autocomplete="off" spellcheck={false} />
      </label>
      {orders.length > 0 && (
        <fieldset>
          <legend>Open orders with this amount</legend>
          <ul class="plain suggestions">
            {orders.map((order) => (
              <li key={`${order.merchant} ${order.reference}`}>
                <button type="button" onClick={() => choose(order)}>
                  {order.reference} {order.merchant} · {order.amount} ·{' '}
                  <Timestamp atMs={order.createdAtMs} />
                </button>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
    </ActionDialog>
  )
}
