import type { Order } from '@tonplug/core'
import {
  fromTypeOrm,
  mappedOrderRepository,
  postgresCursor,
  postgresInbox,
} from '@tonplug/postgres'
import type { DataSource } from 'typeorm'

/** An order of this shop. Handlers and rules receive it with its own fields. */
export type ShopOrder = Order & { item: string }

/** Returns the orders, which are in the table of `OrderEntity`, and the inbox and the cursor in the same database. */
export function paymentStores(source: DataSource) {
  const db = fromTypeOrm(source)
  const orders = mappedOrderRepository<{ item: string }>(db, {
    table: 'orders',
    columns: {
      reference: 'reference',
      rawAmount: 'raw_amount',
      asset: 'asset',
      status: 'status',
      payment: 'payment',
      failure: 'failure',
      recipient: 'recipient',
      bodyBase64Hash: 'body_base64_hash',
      createdAt: 'created_at',
    },
    extra: { item: 'item' },
  })
  return { orders, inbox: postgresInbox(db), cursor: postgresCursor(db) }
}
