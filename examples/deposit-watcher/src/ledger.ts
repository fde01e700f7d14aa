import type { Cursor } from '@tonplug/core/toncenter'
import type { Queryable } from '@tonplug/postgres'
import type { Deposit } from './deposit.js'

// In a real app this is a migration.
const CREATE_TABLES = [
  `CREATE TABLE IF NOT EXISTS credits (
    hash    text PRIMARY KEY,
    address text NOT NULL,
    asset   text NOT NULL,
    -- Jetton amounts reach 2^120, far beyond bigint columns.
    amount  numeric(78, 0) NOT NULL CHECK (amount > 0),
    at      timestamptz NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS balances (
    address text NOT NULL,
    asset   text NOT NULL,
    amount  numeric(78, 0) NOT NULL,
    PRIMARY KEY (address, asset)
  )`,
  `CREATE TABLE IF NOT EXISTS cursors (
    source   text PRIMARY KEY,
    position jsonb NOT NULL
  )`,
]

// One statement, so that all of it is stored or nothing. A deposit whose key exists changes no balance.
const CREDIT = `
  WITH fresh AS (
    INSERT INTO credits (hash, address, asset, amount, at)
    SELECT hash, address, asset, amount, at FROM jsonb_to_recordset($1) AS deposits
      (hash text, address text, asset text, amount numeric, at timestamptz)
    ON CONFLICT (hash) DO NOTHING
    RETURNING *
  ), booked AS (
    INSERT INTO balances (address, asset, amount)
    SELECT address, asset, sum(amount) FROM fresh GROUP BY address, asset
    ON CONFLICT (address, asset) DO UPDATE SET amount = balances.amount + excluded.amount
  ), moved AS (
    INSERT INTO cursors (source, position) VALUES ($2, $3)
    ON CONFLICT (source) DO UPDATE SET position = excluded.position
  )
  SELECT * FROM fresh
`

/** Stores credits, balances and the cursors of the watches. */
export type Ledger = Awaited<ReturnType<typeof openLedger>>

/** Opens the ledger; creates its tables when they are missing. */
export async function openLedger(db: Queryable) {
  for (const table of CREATE_TABLES) await db.query(table)

  return {
    /** Returns the stored cursor of a watch; undefined before its first page. */
    async cursorOf(source: string): Promise<Cursor | undefined> {
      const { rows } = await db.query('SELECT position FROM cursors WHERE source = $1', [source])
      // The column of the table.
      return (rows as { position: Cursor }[])[0]?.position
    },
    /** Credits new deposits and advances the cursor. @returns the rows of the new deposits. */
    async credit(
      deposits: readonly Deposit[],
      { source, cursor }: { source: string; cursor: Cursor },
    ): Promise<unknown[]> {
      const input = deposits.map((deposit) => ({ ...deposit, amount: `${deposit.amount}` }))
      const values = [JSON.stringify(input), source, JSON.stringify(cursor)]
      return (await db.query(CREDIT, values)).rows
    },
  }
}
