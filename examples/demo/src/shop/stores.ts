import type { Clock, Inbox } from '@tonplug/core'
import {
  migratePostgres,
  postgresInbox,
  postgresOrderRepository,
  type PostgresOrderRepository,
  type Queryable,
} from '@tonplug/postgres'
import { createShipping, type Shipping } from './shipping.js'

/** All stores of the shop. */
export interface ShopStores {
  orders: PostgresOrderRepository
  inbox: Inbox
  shipping: Shipping
}

const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS shop_parcels (
  key        text PRIMARY KEY,
  reference  text NOT NULL,
  shipped_at timestamptz(3) NOT NULL
)`

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
  await migratePostgres(db)
  await db.query(CREATE_TABLE)
  return {
    orders: postgresOrderRepository(db, { name }),
    inbox: postgresInbox(db),
    shipping: createShipping(db, { clock }),
  }
}
