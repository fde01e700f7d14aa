import type { Clock } from '@tonplug/core'
import type { Queryable } from '@tonplug/postgres'
import type { ShopOrder } from './shop-order.js'

/** A parcel on its way. */
export interface Shipment {
  trackingCode: string
  reference: string
  shippedAt: Date
}

/** Sends parcels and lists them. */
export interface Shipping {
  /** Sends the order's parcel. For a known key it sends nothing and returns the same shipment. */
  ship(order: ShopOrder, idempotencyKey: string): Promise<Shipment>
  listByReference(reference: string): Promise<Shipment[]>
}

interface ShipmentRow {
  id: string
  reference: string
  shipped_at: Date
}

/** Stores shipments in the shop's database, one for each idempotency key. Pass the key to a real carrier. */
export function createShipping(db: Queryable, { clock }: { clock: Clock }): Shipping {
  const select = async (column: 'key' | 'reference', value: string): Promise<Shipment[]> => {
    const { rows } = await db.query(
      `SELECT id::text, reference, shipped_at FROM shop_shipments WHERE ${column} = $1 ORDER BY id`,
      [value],
    )
    // Only `ship` writes them.
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
