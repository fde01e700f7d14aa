import type { Clock, Inbox, ReconcileCursor } from '@tonplug/core'
import {
  migratePostgres,
  postgresCursor,
  postgresInbox,
  postgresOrderRepository,
} from '@tonplug/postgres'
import type { Queryable } from '@tonplug/postgres'
import { createJournal } from './journal.js'
import type { Journal } from './journal.js'
import { createShipping } from './shipping.js'
import type { Shipping } from './shipping.js'
import type { ShopOrders } from './shop-order.js'

/** Everything that the shop remembers. */
export interface ShopStores {
  orders: ShopOrders
  inbox: Inbox
  /** How far the search for lost webhooks has come. */
  cursor: ReconcileCursor
  journal: Journal
  shipping: Shipping
}

// A shop of several developers would keep this as a migration. The lock is for servers that start together.
const CREATE_TABLES = `DO $$ BEGIN
  PERFORM pg_advisory_xact_lock(20260105);
  CREATE TABLE IF NOT EXISTS shop_journal (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key       text NOT NULL UNIQUE,
    reference text NOT NULL,
    kind      text NOT NULL,
    text      text NOT NULL,
    at        timestamptz(3) NOT NULL
  );
  CREATE INDEX IF NOT EXISTS shop_journal_of_order ON shop_journal (reference, id);
  CREATE TABLE IF NOT EXISTS shop_shipments (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key        text NOT NULL UNIQUE,
    reference  text NOT NULL,
    shipped_at timestamptz(3) NOT NULL
  );
  CREATE INDEX IF NOT EXISTS shop_shipments_of_order ON shop_shipments (reference, id);
END $$`

/** Makes the tables that are missing. All that the shop remembers is in this one database. */
export async function openStores(db: Queryable, { clock }: { clock: Clock }): Promise<ShopStores> {
  // Would happen at the first payment; a shop that may not make tables had better not open.
  await migratePostgres(db)
  await db.query(CREATE_TABLES)
  return {
    orders: postgresOrderRepository(db),
    inbox: postgresInbox(db),
    cursor: postgresCursor(db),
    journal: createJournal(db),
    shipping: createShipping(db, { clock }),
  }
}
