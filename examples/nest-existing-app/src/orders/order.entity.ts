import type { Payment, PaymentFailure } from '@tonplug/core'
import type { OrderStatus } from './order-status'

export interface Order {
  /** The reference of the gateway's transfer for this order. */
  reference: string
  sku: string
  quantity: number
  /** In base units. */
  rawAmount: bigint
  /** `'TON'`, or the address of a jetton master. */
  asset: string
  status: OrderStatus
  payment?: Payment
  failure?: PaymentFailure
  createdAt: Date
}
