import { Injectable } from '@nestjs/common'
import { OnTransferPaid } from '@tonplug/nestjs'
import type { Order } from './order.entity'

/** Packs what was paid. */
@Injectable()
export class WarehouseService {
  private readonly parcels = new Map<string, string>()

  /** Packing an order again changes nothing. */
  @OnTransferPaid()
  async pack({ order }: { order: Order }): Promise<void> {
    this.parcels.set(order.reference, `${order.quantity} × ${order.sku}`)
  }

  /** What was packed for an order. */
  findParcel(reference: string): string | undefined {
    return this.parcels.get(reference)
  }
}
