import { PGlite } from '@electric-sql/pglite'
import { Injectable } from '@nestjs/common'
import type { OnApplicationShutdown } from '@nestjs/common'
import type { Payout, PayoutOutcome, PayoutRequest, SignedMessage, SignedPayout } from './payout.js'

const ADD = `
  INSERT INTO payouts (reference, recipient, amount, jetton, comment) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (reference) DO NOTHING
  RETURNING id
`
const IS_SAME = `
  SELECT 1 FROM payouts
  WHERE reference = $1 AND recipient = $2 AND amount = $3::numeric
    AND jetton IS NOT DISTINCT FROM $4 AND comment IS NOT DISTINCT FROM $5
`
const SELECT = `
  SELECT id::text, reference, recipient, amount::text, jetton, comment, status,
    boc, message_hash, seqno::text, valid_until::text
  FROM payouts
`
const SIGN = `
  UPDATE payouts SET status = 'signed', boc = $2, message_hash = $3, seqno = $4, valid_until = $5
  WHERE id = $1 AND status = 'queued'
`
const MARK_SENT = `UPDATE payouts SET status = 'sent' WHERE id = $1 AND status IN ('signed', 'sent')`
const RELEASE = `
  UPDATE payouts
  SET status = 'queued', boc = NULL, message_hash = NULL, seqno = NULL, valid_until = NULL
  WHERE id = $1 AND status IN ('signed', 'sent') AND message_hash = $2
`
const SETTLE = `
  UPDATE payouts SET status = $2, reason = $3, trace_id = $4, settled_at = now()
  WHERE id = $1 AND status = 'sent'
`
const REJECT = `
  UPDATE payouts SET status = 'failed', reason = $2, settled_at = now()
  WHERE id = $1 AND status = 'queued'
`

/** A database row; numbers are strings. */
interface Row {
  id: string
  reference: string
  recipient: string
  amount: string
  jetton: string | null
  comment: string | null
  status: string
  boc: string | null
  message_hash: string | null
  seqno: string | null
  valid_until: string | null
}

/** Stores payouts and their outcomes. Each method is one atomic statement. */
@Injectable()
export class PayoutQueue implements OnApplicationShutdown {
  constructor(private readonly database: PGlite) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.close()
  }

  /**
   * Queues a payout, unless the same payout is stored.
   * @returns true if it is new.
   * @throws {ReferenceTakenError} when the reference belongs to another payout.
   */
  async add({ reference, to, amount, jetton, comment }: PayoutRequest): Promise<boolean> {
    const values = [reference, to, amount.toString(), jetton ?? null, comment ?? null]
    if ((await this.database.query(ADD, values)).rows.length > 0) return true
    if ((await this.database.query(IS_SAME, values)).rows.length > 0) return false
    throw new ReferenceTakenError(reference)
  }

  /** Returns the payout with a stored message, which may have been sent. There is at most one. */
  async inFlight(): Promise<SignedPayout | undefined> {
    const row = await this.first(`${SELECT} WHERE status IN ('signed', 'sent')`)
    return row === undefined ? undefined : readSigned(row)
  }

  /** Returns the oldest queued payout. */
  async next(): Promise<Payout | undefined> {
    const row = await this.first(`${SELECT} WHERE status = 'queued' ORDER BY payouts.id LIMIT 1`)
    return row === undefined ? undefined : readPayout(row)
  }

  /** Returns the highest seqno of a settled payout; undefined before the first one. */
  async lastSeqno(): Promise<number | undefined> {
    const { rows } = await this.database.query<{ last: string | null }>(
      `SELECT max(seqno)::text AS last FROM payouts WHERE status IN ('paid', 'failed')`,
    )
    const last = rows[0]?.last ?? null
    return last === null ? undefined : Number(last)
  }

  /** Stores the message of a queued payout before it is sent. */
  async sign(payout: Payout, message: SignedMessage): Promise<SignedPayout> {
    const { boc, hash, seqno, validUntil } = message
    await this.change(SIGN, [payout.id, boc, hash, seqno, validUntil])
    return { ...payout, status: 'signed', message }
  }

  /** Records that the message may be sent from now on. */
  async markSent({ id }: Payout): Promise<void> {
    await this.change(MARK_SENT, [id])
  }

  /** Queues a payout again, at its old position, after its message has expired. */
  async release({ id, message }: SignedPayout): Promise<void> {
    await this.change(RELEASE, [id, message.hash])
  }

  /** Records the outcome of a sent payout. */
  async settle({ id }: Payout, { status, reason, traceId }: PayoutOutcome): Promise<void> {
    await this.change(SETTLE, [id, status, reason ?? null, traceId ?? null])
  }

  /** Records why a queued payout cannot be signed. */
  async reject({ id }: Payout, reason: string): Promise<void> {
    await this.change(REJECT, [id, reason])
  }

  private async first(sql: string): Promise<Row | undefined> {
    return (await this.database.query<Row>(sql)).rows[0]
  }

  private async change(sql: string, values: unknown[]): Promise<void> {
    const { affectedRows } = await this.database.query(sql, values)
    if (affectedRows === 1) return
    throw new Error(
      `payout ${String(values[0])} was changed by another process; run one worker only`,
    )
  }
}

/** Thrown when two payouts have the same reference. Only the first one is queued. */
class ReferenceTakenError extends Error {
  override readonly name = 'ReferenceTakenError'

  constructor(reference: string) {
    const name = JSON.stringify(reference)
    super(`The reference ${name} belongs to another payout; use a unique reference`)
  }
}

function readPayout({ id, reference, recipient, amount, jetton, comment }: Row): Payout {
  return {
    id: BigInt(id),
    reference,
    to: recipient,
    amount: BigInt(amount),
    jetton: jetton ?? undefined,
    comment: comment ?? undefined,
  }
}

function readSigned(row: Row): SignedPayout {
  const { boc, message_hash: hash, seqno, valid_until: validUntil, status } = row
  if (boc === null || hash === null || (status !== 'signed' && status !== 'sent')) {
    throw new TypeError(`payout ${row.id} has no message, which violates the table's constraints`)
  }
  const message = { boc, hash, seqno: Number(seqno), validUntil: Number(validUntil) }
  return { ...readPayout(row), status, message }
}
