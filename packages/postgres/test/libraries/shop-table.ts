import type { Order } from '@tonplug/core'
import type { MappedOrderRepositoryOptions } from '../../src/order-mapping.js'
import type { Queryable } from '../../src/queryable.js'

/** A table of a shop whose names and values are as unlike tonplug's as SQL allows. */
export const CREATE_SHOP = `DO $shop$ BEGIN
  CREATE SCHEMA "The Shop";
  CREATE TYPE "The Shop"."order state" AS ENUM
    ('awaiting $1', 'it''s failed?', 'overdue', 'void\\', 'paid', 'shipped');
  CREATE TABLE "The Shop"."Order?" (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    "merchant $1" varchar(200) NOT NULL,
    "the ""number""" text NOT NULL,
    "priceNano" numeric(78, 0) NOT NULL,
    currency text NOT NULL,
    "payTo" text,
    "bodyHash" text,
    state "The Shop"."order state" NOT NULL DEFAULT 'awaiting $1',
    "createdAt" timestamp NOT NULL,
    "tonPayment" json,
    "tonFailure" text,
    "txHash" text,
    email text NOT NULL DEFAULT 'buyer@example.com',
    weight numeric NOT NULL DEFAULT 90071992547409931.5,
    tags text[] NOT NULL DEFAULT '{a,b}',
    UNIQUE ("merchant $1", "the ""number""")
  );
  CREATE INDEX ON "The Shop"."Order?" ("the ""number""" text_pattern_ops);
  CREATE INDEX ON "The Shop"."Order?" (left(lower(email), 200) text_pattern_ops);
END $shop$`

/** The shop's own fields of an order. */
export interface ShopFields {
  id: string
  email: string
  weight: string
  tags: string[]
}

export const MAPPING: MappedOrderRepositoryOptions<ShopFields> = {
  schema: 'The Shop',
  table: 'Order?',
  columns: {
    merchant: 'merchant $1',
    reference: 'the "number"',
    rawAmount: 'priceNano',
    asset: 'currency',
    recipient: 'payTo',
    bodyBase64Hash: 'bodyHash',
    status: 'state',
    createdAt: 'createdAt',
    payment: 'tonPayment',
    paymentTxHash: 'txHash',
    failure: 'tonFailure',
  },
  statuses: {
    pending: 'awaiting $1',
    failed: "it's failed?",
    expired: 'overdue',
    cancelled: 'void\\',
    completed: 'paid',
  },
  extra: { id: 'id', email: 'email', weight: 'weight', tags: 'tags' },
  search: ['email', 'id'],
}

const VALUES: Record<Order['status'], string> = {
  pending: 'awaiting $1',
  failed: "it's failed?",
  expired: 'overdue',
  cancelled: 'void\\',
  completed: 'paid',
}

/** Stores an order as the shop does. */
export async function insertOrder(db: Queryable, order: Order): Promise<void> {
  const { reference, merchant = '', rawAmount, asset, recipient, bodyBase64Hash, status } = order
  await db.query(
    `INSERT INTO "The Shop"."Order?" ("merchant $1", "the ""number""", "priceNano", currency, "payTo",
      "bodyHash", state, "createdAt")
    VALUES ($1::text, $2::text, $3::text::numeric, $4::text, $5::text, $6::text,
      ($7::text)::"The Shop"."order state", ($8::text::timestamptz AT TIME ZONE 'UTC'))`,
    [
      merchant,
      reference,
      String(rawAmount),
      asset ?? null,
      recipient ?? null,
      bodyBase64Hash ?? null,
      VALUES[status],
      (order.createdAt ?? new Date()).toISOString(),
    ],
  )
}

export async function deleteOrders(db: Queryable): Promise<void> {
  await db.query('DELETE FROM "The Shop"."Order?"')
}
