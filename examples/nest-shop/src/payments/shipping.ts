import { Injectable } from '@nestjs/common'

/** A parcel on its way. */
export interface Shipment {
  trackingCode: string
  reference: string
}

/** Sends parcels, and knows which were sent. Kept in memory. */
@Injectable()
export class Shipping {
  private readonly shipmentsByKey = new Map<string, Shipment>()

  /** Sends the order's parcel; the same key again answers the same shipment and sends nothing. */
  ship(reference: string, idempotencyKey: string): Shipment {
    const number = this.shipmentsByKey.size + 1
    const shipment = this.shipmentsByKey.get(idempotencyKey) ?? {
      trackingCode: `PARCEL-${String(number).padStart(6, '0')}`,
      reference,
    }
    this.shipmentsByKey.set(idempotencyKey, shipment)
    return shipment
  }

  list(reference: string): Shipment[] {
    return [...this.shipmentsByKey.values()].filter((shipment) => shipment.reference === reference)
  }
}
