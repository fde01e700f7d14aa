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
  /** The only message that pays it; null until it is signed. */
  message: SignedMessage | null
}

/** A message that makes the wallet pay, with its hash, and the wallet's seqno that it uses. */
export interface SignedMessage {
  boc: string
  hash: string
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
    async next(): Promise<Payout | undefined> {
      const { rows } = await client.query<
        Omit<Payout, 'id' | 'amount'> & Record<'id' | 'amount', string>
      >(
        `SELECT id, reference, recipient, amount, jetton, comment, message FROM payouts
         WHERE status IN ('signed', 'queued') ORDER BY status = 'signed' DESC, payouts.id LIMIT 1`,
      )
      const [row] = rows
      return row && { ...row, id: BigInt(row.id), amount: BigInt(row.amount) }
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
