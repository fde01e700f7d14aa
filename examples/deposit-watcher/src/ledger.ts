import { PGlite } from '@electric-sql/pglite'
import { Injectable } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import type { Cursor } from '@tonplug/core'
import type { Deposit } from './deposit.js'

// The key decides: a deposit that is there already moves no balance.
const CREDIT = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1) AS deposit
      ("txHash" text, "messageHash" text, address text, asset text, amount numeric, sender text,
       at timestamptz)
  ), fresh AS (
    INSERT INTO credits (tx_hash, message_hash, address, asset, amount, sender, at)
    SELECT "txHash", "messageHash", address, asset, amount, sender, at FROM given
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

/** How far a source has been read. */
export interface Progress {
  source: string
  cursor: Cursor
}

/** What was credited, and how far the index has been read for it. */
@Injectable()
export class Ledger implements OnApplicationShutdown {
  constructor(private readonly database: PGlite) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.close()
  }

  /** Where a source is to be read on; `undefined` before its first credit. */
  async cursorOf(source: string): Promise<Cursor | undefined> {
    const { rows } = await this.database.query<{ position: Cursor }>(
      'SELECT position FROM cursors WHERE source = $1',
      [source],
    )
    return rows[0]?.position
  }

  /**
   * Credits what is not yet credited and moves the cursor on, both in one transaction: after a crash either both are
   * there or neither.
   * @param progress left out while the page has to be read again.
   * @returns the deposits that were new.
   */
  async credit(deposits: readonly Deposit[], progress?: Progress): Promise<Deposit[]> {
    return this.database.transaction(async (transaction) => {
      const given = deposits.map((deposit) => ({ ...deposit, amount: deposit.amount.toString() }))
      const { rows } = await transaction.query<{ id: string }>(CREDIT, [JSON.stringify(given)])
      if (progress !== undefined) {
        const { source, cursor } = progress
        await transaction.query(MOVE_CURSOR, [source, JSON.stringify(cursor)])
      }
      const fresh = new Set(rows.map(({ id }) => id))
      return deposits.filter(({ txHash, messageHash }) => fresh.has(txHash + messageHash))
    })
  }
}
