import { PGlite } from '@electric-sql/pglite'
import { Injectable } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import type { Cursor } from '@tonplug/core/toncenter'
import type { Deposit } from './deposit.js'

// Idempotent: a deposit whose key exists changes no balance.
const CREDIT = `
  WITH deposits AS (
    SELECT * FROM jsonb_to_recordset($1) AS input
      ("txHash" text, "messageHash" text, address text, asset text, amount numeric, sender text,
       at timestamptz)
  ), fresh AS (
    INSERT INTO credits (tx_hash, message_hash, address, asset, amount, sender, at)
    SELECT "txHash", "messageHash", address, asset, amount, sender, at FROM deposits
    ON CONFLICT (tx_hash, message_hash) DO NOTHING
    RETURNING *
  ), booked AS (
    INSERT INTO balances (address, asset, amount)
    SELECT address, asset, sum(amount) FROM fresh GROUP BY address, asset
    ON CONFLICT (address, asset) DO UPDATE SET amount = balances.amount + excluded.amount
  )
  SELECT tx_hash || message_hash AS id FROM fresh
`
const MOVE_CURSOR = `
  INSERT INTO cursors (source, position) VALUES ($1, $2)
  ON CONFLICT (source) DO UPDATE SET position = excluded.position
`

/** The read position of a source. */
export interface Progress {
  source: string
  cursor: Cursor
}

/** Stores credits, balances and the cursors of the sources. */
@Injectable()
export class Ledger implements OnApplicationShutdown {
  constructor(private readonly database: PGlite) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.close()
  }

  /** Returns the stored cursor of a source; undefined before its first page. */
  async cursorOf(source: string): Promise<Cursor | undefined> {
    const { rows } = await this.database.query<{ position: Cursor }>(
      'SELECT position FROM cursors WHERE source = $1',
      [source],
    )
    return rows[0]?.position
  }

  /**
   * Credits new deposits and advances the cursor in one transaction.
   * @param progress omitted while the page must be read again.
   * @returns the new deposits.
   */
  async credit(deposits: readonly Deposit[], progress?: Progress): Promise<Deposit[]> {
    return this.database.transaction(async (transaction) => {
      const rowsToCredit = deposits.map((deposit) => ({
        ...deposit,
        amount: deposit.amount.toString(),
      }))
      const { rows } = await transaction.query<{ id: string }>(CREDIT, [
        JSON.stringify(rowsToCredit),
      ])
      if (progress !== undefined) {
        const { source, cursor } = progress
        await transaction.query(MOVE_CURSOR, [source, JSON.stringify(cursor)])
      }
      const credited = new Set(rows.map(({ id }) => id))
      return deposits.filter(({ txHash, messageHash }) => credited.has(txHash + messageHash))
    })
  }
}
