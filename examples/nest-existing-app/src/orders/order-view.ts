import type { Order } from './order.entity'

/** An order as the API shows it. */
export type OrderView = ReturnType<typeof viewOrder>

/** Converts an order to JSON. @param parcel the packed items, if the order was packed */
export function viewOrder(order: Order, parcel: string | undefined) {
  const { reference, sku, quantity, rawAmount, asset, status, createdAt } = order
  return {
    reference,
    sku,
    quantity,
    // JSON has no bigint.
    rawAmount: rawAmount.toString(),
    asset,
    status,
    createdAt: createdAt.toISOString(),
    parcel: parcel ?? null,
  }
}
