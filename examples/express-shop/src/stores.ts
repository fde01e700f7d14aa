import type { Clock, Inbox, WatcherCursor } from '@tonplug/core'
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

/** All stores of the shop. */
export interface ShopStores {
  orders: ShopOrders
  inbox: Inbox
  /** The position of the payment watcher. */
  cursor: WatcherCursor
  journal: Journal
  shipping: Shipping
}

// In a real shop this is a migration. The lock is for servers that start at the same time.
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

/** Options of the stores. */
export interface StoresOptions {
  clock: Clock
  /** Separates shops that share a database. @default 'default' */
  name?: string | undefined
}

/** Creates the missing tables, and the stores of one shop. */
export async function openStores(
  db: Queryable,
  { clock, name }: StoresOptions,
): Promise<ShopStores> {
  // Otherwise the first payment does it; a shop that cannot create tables should not start.
  await migratePostgres(db)
  await db.query(CREATE_TABLES)
  return {
    orders: postgresOrderRepository(db, { name }),
    inbox: postgresInbox(db),
    cursor: postgresCursor(db, { name }),
    journal: createJournal(db),
    shipping: createShipping(db, { clock }),
  }
}
