import { sql } from 'drizzle-orm'
import type { ShopDatabase } from './database.js'

// Any number that nothing else in the database locks.
const LOCK_ID = 20_260_107

const STATEMENTS = [
  `CREATE TABLE IF NOT EXISTS orders (
    reference   text PRIMARY KEY,
    item        text NOT NULL,
    raw_amount  numeric(78, 0) NOT NULL CHECK (raw_amount > 0),
    asset       text NOT NULL,
    recipient   text,
    body_base64_hash text,
    status      text NOT NULL
                CHECK (status IN ('pending', 'failed', 'expired', 'cancelled', 'completed')),
    created_at  timestamptz(3) NOT NULL DEFAULT now(),
    tx_hash     text,
    paid_amount numeric(78, 0),
    payment     jsonb,
    failure     jsonb
  )`,
  `CREATE INDEX IF NOT EXISTS open_orders ON orders (created_at, reference)
    WHERE status IN ('pending', 'failed', 'expired')`,
  `CREATE INDEX IF NOT EXISTS orders_by_body ON orders (body_base64_hash)
    WHERE body_base64_hash IS NOT NULL`,
  'CREATE TABLE IF NOT EXISTS parcels (key text PRIMARY KEY, reference text NOT NULL)',
]

/** Makes the shop's tables, which you would keep as migrations. tonplug makes its own, in the schema `tonplug`. */
export async function createTables(db: ShopDatabase): Promise<void> {
  await db.transaction(async (tx) => {
    // Two servers that start together would make the same table.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${LOCK_ID})`)
    for (const statement of STATEMENTS) await tx.execute(sql.raw(statement))
  })
}
