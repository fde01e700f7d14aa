/** A requested payout. */
export interface PayoutRequest {
  /** Your unique name of the payout. Never paid twice. */
  reference: string
  /** The recipient. The format determines whether the payment is bounceable; a raw address is not. */
  to: string
  /** In base units. */
  amount: bigint
  /** The master of the jetton; absent for native coin. */
  jetton?: string | undefined
  /** A public comment for the recipient. */
  comment?: string | undefined
}

/** A queued payout. The id is also the query id of a jetton transfer. */
export interface Payout extends PayoutRequest {
  id: bigint
}

/** A signed external message, which the wallet accepts once. */
export interface SignedMessage {
  /** Base64. */
  boc: string
  /** The normalized hash, base64. */
  hash: string
  seqno: number
  /** Unix seconds, by the time of the chain. */
  validUntil: number
}

/** A payout whose message is stored and may have been sent. */
export interface SignedPayout extends Payout {
  status: 'signed' | 'sent'
  message: SignedMessage
}

/** The outcome of a payout. A failed one did not reach its recipient and is not retried. */
export type PayoutOutcome =
  | { status: 'paid'; reason?: undefined; traceId?: string | undefined }
  | { status: 'failed'; reason: string; traceId?: string | undefined }
