/** What is to be paid, and to whom. */
export interface PayoutRequest {
  /** Your name for it. The same name is never paid twice. */
  reference: string
  /** Who is paid: bounceable or not, as the address says; a raw one is not. */
  to: string
  /** In base units. */
  amount: bigint
  /** The master of the jetton; absent for native coin. */
  jetton?: string | undefined
  /** Public, and read by the recipient. */
  comment?: string | undefined
}

/** A request with its number in the queue, which is also the query id of a jetton transfer. */
export interface Payout extends PayoutRequest {
  id: bigint
}

/** A message from outside that a wallet takes once. */
export interface SignedMessage {
  /** In base64. */
  boc: string
  /** The normalised hash, in base64. */
  hash: string
  seqno: number
  /** Unix seconds of the chain. */
  validUntil: number
}

/** A payout whose message is stored and may be on its way. */
export interface SignedPayout extends Payout {
  status: 'signed' | 'sent'
  message: SignedMessage
}

/** How a payout ended. A failed one has not reached its recipient and is not tried again. */
export type PayoutEnd =
  | { status: 'paid'; reason?: undefined; traceId?: string | undefined }
  | { status: 'failed'; reason: string; traceId?: string | undefined }
