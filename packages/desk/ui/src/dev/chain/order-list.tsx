import { useEffect, useRef, useState } from 'preact/hooks'
import type { OpenOrder } from '../state.js'
import { OrderRow } from './order-row.js'

/** The orders, newest first. @param opened the id of an order to show open */
export function OrderList({
  orders,
  opened,
  isDecisionOverdue,
}: {
  orders: readonly OpenOrder[]
  opened: string | undefined
  isDecisionOverdue: boolean
}) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const newest = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (opened !== undefined) setOpen((known) => new Set([...known, opened]))
  }, [opened])
  const isListed = orders.some(({ id }) => id === opened)
  useEffect(() => newest.current?.focus(), [opened, isListed])
  const toggle = (id: string): void => {
    const others = new Set(open)
    if (!others.delete(id)) others.add(id)
    setOpen(others)
  }
  return (
    <section class="card" aria-labelledby="orders">
      <h2 id="orders" tabIndex={-1}>
        Orders
      </h2>
      {orders.length === 0 && (
        <p class="empty">
          None yet. Create an order in your shop, for example with{' '}
          <code>curl -X POST http://localhost:3000/payments/checkout</code>, and open its{' '}
          <code>link</code> above.
        </p>
      )}
      {isDecisionOverdue && (
        <p class="hint">
          Your shop has reported no decision. To see one beside each payment, post its decisions to{' '}
          <code>TONPLUG_DECISIONS_URL</code>, as a server of <code>tonplug init</code> does.
        </p>
      )}
      <ul id="order-list" class="plain">
        {orders.map((order) => (
          <OrderRow
            key={order.id}
            order={order}
            isOpen={open.has(order.id)}
            onToggle={() => toggle(order.id)}
            {...(order.id === opened && { headRef: newest })}
          />
        ))}
      </ul>
    </section>
  )
}
