import type { Clock } from '@tonplug/core'
import type { Queryable } from '@tonplug/postgres'
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
  ship(order: ShopOrder, idempotencyKey: string): Promise<Shipment>
  listByReference(reference: string): Promise<Shipment[]>
}

interface ShipmentRow {
  id: string
  reference: string
  shipped_at: Date
}

/** Keeps shipments in the shop's database, one per idempotency key. A real carrier is given the key with the order. */
export function createShipping(db: Queryable, { clock }: { clock: Clock }): Shipping {
  const select = async (column: 'key' | 'reference', value: string): Promise<Shipment[]> => {
    const { rows } = await db.query(
      `SELECT id::text, reference, shipped_at FROM shop_shipments WHERE ${column} = $1 ORDER BY id`,
      [value],
    )
    // Written by `ship` alone.
    return (rows as ShipmentRow[]).map(toShipment)
  }
  return {
    async ship({ reference }, idempotencyKey) {
      await db.query(
        `INSERT INTO shop_shipments (key, reference, shipped_at) VALUES ($1, $2, $3)
          ON CONFLICT (key) DO NOTHING`,
        [idempotencyKey, reference, new Date(clock.nowMs()).toISOString()],
      )
      const [shipment] = await select('key', idempotencyKey)
      if (shipment === undefined) throw new Error(`The parcel of order ${reference} is missing`)
      return shipment
    },
    listByReference: (reference) => select('reference', reference),
  }
}

function toShipment({ id, reference, shipped_at: shippedAt }: ShipmentRow): Shipment {
  return { trackingCode: `PARCEL-${id.padStart(6, '0')}`, reference, shippedAt }
}
