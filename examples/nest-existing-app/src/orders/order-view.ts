import type { Order } from './order.entity'

/** An order as the API shows it. */
export interface OrderView {
  reference: string
  sku: string
  quantity: number
  rawAmount: string
  asset: string
  status: string
  createdAt: string
  /** The packed items; null until the order is packed. */
  parcel: string | null
}

/** Converts an order to JSON. Amounts are strings, because JSON has no bigint. */
export function viewOrder(order: Order, parcel: string | undefined): OrderView {
  const { reference, sku, quantity, rawAmount, asset, status, createdAt } = order
  return {
    reference,
    sku,
    quantity,
    rawAmount: rawAmount.toString(),
    asset,
    status,
    createdAt: createdAt.toISOString(),
    parcel: parcel ?? null,
  }
}
