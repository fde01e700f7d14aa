import type { Payment, PaymentFailure } from '@tonplug/core'

export type OrderStatus = 'pending' | 'failed' | 'expired' | 'cancelled' | 'completed'

/** Statuses of unpaid orders. */
export const OPEN: readonly OrderStatus[] = ['pending', 'failed', 'expired']

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
