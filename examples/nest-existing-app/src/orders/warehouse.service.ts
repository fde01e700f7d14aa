import { Injectable } from '@nestjs/common'
import { OnPaid } from '@tonplug/nestjs'
import type { Order } from './order.entity'

/** Packs paid orders. */
@Injectable()
export class WarehouseService {
  private readonly parcels = new Map<string, string>()

  /** Idempotent: packing an order again has no effect. */
  @OnPaid()
  async pack({ order }: { order: Order }): Promise<void> {
    this.parcels.set(order.reference, `${order.quantity} × ${order.sku}`)
  }

  /** Returns the packed items of an order. */
  findParcel(reference: string): string | undefined {
    return this.parcels.get(reference)
  }
}
