import type { Clock } from '@tonplug/core'
import type { Queryable } from '@tonplug/postgres'

/** Sends parcels and counts them. */
export interface Shipping {
  /** Sends the order's parcel. For a known key it sends nothing. */
  ship(reference: string, idempotencyKey: string): Promise<void>
  /** Returns the number of parcels of an order. */
  count(reference: string): Promise<number>
}

/** Stores parcels in the shop's database, one for each idempotency key. Pass the key to a real carrier. */
export function createShipping(db: Queryable, { clock }: { clock: Clock }): Shipping {
  return {
    async ship(reference, idempotencyKey) {
      await db.query(
        `INSERT INTO shop_parcels (key, reference, shipped_at) VALUES ($1, $2, $3)
          ON CONFLICT (key) DO NOTHING`,
        [idempotencyKey, reference, new Date(clock.nowMs()).toISOString()],
      )
    },
    async count(reference) {
      const { rows } = await db.query('SELECT 1 FROM shop_parcels WHERE reference = $1', [
        reference,
      ])
      return rows.length
    },
  }
}
