import type { Clock } from '@tonplug/core'
import type { ShopOrder } from './shop-order.js'

/** A parcel on its way. */
export interface Shipment {
  trackingCode: string
  reference: string
  shippedAt: Date
}

/** Sends parcels, and knows which were sent. */
export interface Shipping {
  /** Sends the order's parcel; the same key again answers the same shipment and sends nothing. */
  ship(order: ShopOrder, idempotencyKey: string): Shipment
  listByReference(reference: string): Shipment[]
}

/** Keeps shipments in memory, one per idempotency key. */
export function createShipping({ clock }: { clock: Clock }): Shipping {
  const byKey = new Map<string, Shipment>()
  return {
    ship(order, idempotencyKey) {
      const known = byKey.get(idempotencyKey)
      if (known !== undefined) return known
      const shipment = {
        trackingCode: `PARCEL-${String(byKey.size + 1).padStart(6, '0')}`,
        reference: order.reference,
        shippedAt: new Date(clock.nowMs()),
      }
      byKey.set(idempotencyKey, shipment)
      return shipment
    },
    listByReference: (reference) =>
      [...byKey.values()].filter((shipment) => shipment.reference === reference),
  }
}
