import type { OrderStatus, Payment } from '@tonplug/core'
import { Column, Entity, PrimaryColumn, type ValueTransformer } from 'typeorm'

/** Maps `numeric` columns to `bigint`: jetton amounts reach 2^120, far beyond JavaScript numbers. */
const baseUnits: ValueTransformer = { to: String, from: BigInt }

/** A row of the shop's orders. `item` represents the shop's own columns; tonplug also writes `failure`. */
@Entity('orders')
export class OrderEntity {
  @PrimaryColumn('text')
  reference!: string

  @Column('text')
  item!: string

  @Column('numeric', { name: 'raw_amount', transformer: baseUnits })
  rawAmount!: bigint

  @Column('text')
  asset!: string

  @Column('text', { nullable: true })
  recipient!: string | null

  /** The body hash that the gateway returned with the transfer; the watcher finds payments by it. */
  @Column('text', { name: 'body_base64_hash', nullable: true })
  bodyBase64Hash!: string | null

  @Column('text')
  status!: OrderStatus

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date

  /** The transfer that completed the order, as tonplug stores it: its amount is a string. */
  @Column('jsonb', { nullable: true })
  payment!: (Omit<Payment, 'rawAmount'> & { rawAmount: string }) | null
}
