/** Where an order stands. Only `pending`, `failed` and `expired` orders can still be completed. */
export type OrderStatus = 'pending' | 'failed' | 'expired' | 'cancelled' | 'completed'

/** What tonplug must know of an order; a shop's own type extends it. */
export interface Order {
  /** The transfer reference that the gateway returned when the transfer was created; unique. */
  reference: string
  /** Expected amount in base units (nanotons for the native coin). */
  rawAmount: bigint
  /** `'TON'`, or the jetton master's address in any spelling. */
  asset: string
  status: OrderStatus
  /** Expected wallet, in any spelling. Takes the place of the receiver's `recipients` for this order. */
  recipient?: string | null | undefined
  /**
   * The hash of the message's body, as the gateway told it when the transfer was created. Where it is known, no other
   * payment can be proven for this order: see `createPaymentProof`.
   */
  bodyBase64Hash?: string | null | undefined
  /** What completed the order. Needed to tell a repeated delivery from a second payment. */
  payment?: Payment | null | undefined
  createdAt?: Date | null | undefined
}

/** Where a payment was found that no webhook had told: on the chain, or by asking the gateway. */
export type PaymentSource = 'chain' | 'gateway'

/** The transfer that completed an order. */
export interface Payment {
  /** Lower-case hex where the wire carried a 256-bit hash in hex or base64, so that `===` compares; else as sent. */
  txHash: string
  traceId: string
  bodyBase64Hash: string
  /** Received amount in base units. */
  rawAmount: bigint
  /** `'TON'` or the jetton master as `workchain:hex`, lower-case. */
  asset: string
  senderAddr: string
  recipientAddr: string
  /** When the transfer completed, ISO 8601, as sent. */
  date: string
  /** Whether the order had expired when it was paid. */
  late: boolean
  /** Where a reconciler found it; absent when a webhook told it. Keep it: it tells one payment from two. */
  foundBy?: PaymentSource | undefined
}

/** A transfer that did not succeed. */
export interface PaymentFailure {
  /** Spelt as in {@link Payment.txHash}. */
  txHash: string
  traceId: string
  /** The gateway's own number; there is no published list, and it is not a TVM code. */
  errorCode?: number | undefined
  errorMessage?: string | undefined
  date: string
}
