import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'

// A shop would keep this as a migration. The index is for `listOpen`.
const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS orders (
    reference   text PRIMARY KEY,
    item        text NOT NULL,
    raw_amount  numeric(78, 0) NOT NULL CHECK (raw_amount > 0),
    asset       text NOT NULL,
    recipient   text,
    status      text NOT NULL
                CHECK (status IN ('pending', 'failed', 'expired', 'cancelled', 'completed')),
    created_at  timestamptz(3) NOT NULL DEFAULT now(),
    tx_hash     text,
    paid_amount numeric(78, 0),
    payment     jsonb,
    failure     jsonb
  );
  CREATE INDEX IF NOT EXISTS open_orders ON orders (created_at, reference)
    WHERE status IN ('pending', 'failed', 'expired');
`

/** Opens PGlite, PostgreSQL in this process: in memory, or kept in `dataDir`. */
export async function openDatabase(dataDir?: string) {
  const client = await PGlite.create(dataDir)
  await client.exec(CREATE_TABLE)
  return { client, db: drizzle(client), close: () => client.close() }
}
