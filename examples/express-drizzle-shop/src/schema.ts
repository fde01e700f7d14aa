import type { OrderStatus, Payment, PaymentFailure } from '@tonplug/core'
import { jsonb, numeric, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** The shop's orders. `item` stands for whatever else a shop keeps. */
export const orders = pgTable('orders', {
  reference: text('reference').primaryKey(),
  item: text('item').notNull(),
  // Jetton amounts reach 2^120, far beyond bigint columns and JavaScript numbers.
  rawAmount: numeric('raw_amount', { precision: 78, scale: 0, mode: 'bigint' }).notNull(),
  asset: text('asset').notNull(),
  recipient: text('recipient'),
  /** As the gateway told it with the transfer: what a payment is found by whose webhook never came. */
  bodyBase64Hash: text('body_base64_hash'),
  status: text('status').$type<OrderStatus>().notNull(),
  // Milliseconds, as `Date` has them; with more digits, paging by this column would repeat rows.
  createdAt: timestamp('created_at', { withTimezone: true, precision: 3 }).notNull().defaultNow(),
  /** The transfer that completed the order, or made it fail. */
  txHash: text('tx_hash'),
  paidAmount: numeric('paid_amount', { precision: 78, scale: 0, mode: 'bigint' }),
  payment: jsonb('payment').$type<Omit<Payment, 'rawAmount'>>(),
  failure: jsonb('failure').$type<PaymentFailure>(),
})

/** What was sent, one row per idempotency key of a handler. */
export const parcels = pgTable('parcels', {
  key: text('key').primaryKey(),
  reference: text('reference').notNull(),
})
