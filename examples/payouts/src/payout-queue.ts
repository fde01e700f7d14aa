import type { SendCheckpoint } from '@tonplug/core/toncenter'
import { Client } from 'pg'

/** A row of the table `payouts`. */
export interface Payout {
  /** Also the query id of a jetton transfer. */
  id: bigint
  reference: string
  recipient: string
  /** In base units. */
  amount: bigint
  /** The address of the jetton's master; null for native coin. */
  jetton: string | null
  comment: string | null
}

/** A message that makes the wallet pay, and the wallet's seqno that it uses. */
export interface SignedMessage extends SendCheckpoint {
  boc: string
  validUntil: number
  seqno: number
}

/** Names the lock of the table in PostgreSQL. */
const LOCK = 7_061_900

export type PayoutQueue = Awaited<ReturnType<typeof openPayoutQueue>>

/**
 * Opens the queue on one connection, which also has the lock: a worker that loses the lock cannot write either. Waits until
 * no other worker has it.
 */
export async function openPayoutQueue(connectionString: string) {
  const client = new Client({ connectionString })
  // The next query rejects.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('SELECT pg_advisory_lock($1)', [LOCK])

  const change = async (sql: string, ...values: unknown[]): Promise<void> => {
    const { rowCount } = await client.query(sql, values)
    if (rowCount !== 1)
      throw new Error(`Payout ${String(values[0])} was changed by something else than this worker`)
  }
  return {
    /** Returns the payout whose message may have been sent, or else the oldest queued one. */
    async next(): Promise<{ payout: Payout; message: SignedMessage | null } | undefined> {
      const { rows } = await client.query<
        Record<keyof Payout, string> & { message: SignedMessage | null }
      >(
        `SELECT id, reference, recipient, amount, jetton, comment, message FROM payouts
         WHERE status IN ('signed', 'queued') ORDER BY status = 'signed' DESC, payouts.id LIMIT 1`,
      )
      const [row] = rows
      if (row === undefined) return undefined
      return {
        payout: { ...row, id: BigInt(row.id), amount: BigInt(row.amount) },
        message: row.message,
      }
    },
    /** Returns the highest seqno that a payout has used. */
    async lastSeqno(): Promise<number | undefined> {
      const { rows } = await client.query<{ last: string | null }>(
        'SELECT max(seqno) AS last FROM payouts',
      )
      const last = rows[0]?.last ?? undefined
      return last === undefined ? undefined : Number(last)
    },
    /** Stores a message before it is sent. */
    sign: ({ id }: Payout, message: SignedMessage) =>
      change(
        `UPDATE payouts SET status = 'signed', message = $2, seqno = $3 WHERE id = $1 AND status = 'queued'`,
        id,
        message,
        message.seqno,
      ),
    /** Queues a payout again, since its message has expired. */
    release: ({ id }: Payout) =>
      change(
        `UPDATE payouts SET status = 'queued', message = NULL, seqno = NULL WHERE id = $1 AND status = 'signed'`,
        id,
      ),
    paid: ({ id }: Payout) =>
      change(`UPDATE payouts SET status = 'paid' WHERE id = $1 AND status = 'signed'`, id),
    failed: ({ id }: Payout, reason: string) =>
      change(
        `UPDATE payouts SET status = 'failed', reason = $2 WHERE id = $1 AND status IN ('queued', 'signed')`,
        id,
        reason,
      ),
    close: () => client.end(),
  }
}
