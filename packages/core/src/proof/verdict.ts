/** Why a payment is not the one that was told of: the chain shows something else. Looking again changes nothing. */
export type RefutedReason =
  /** `txHash`, `traceId` or `bodyBase64Hash` is no hash of 256 bits. */
  | 'unreadable'
  /** The transaction is of another trace than the one named. */
  | 'other_trace'
  /** No message of the trace has the body, or the transaction is no part of that payment: somebody else's. */
  | 'other_message'
  | 'other_sender'
  | 'other_recipient'
  | 'other_asset'
  | 'other_amount'
  /** The money went back. */
  | 'bounced'
  /** A contract on the way did not do its work, so that nothing arrived. */
  | 'failed'
  /** The same payment has paid another order. */
  | 'reused'

/** Why nothing is proven so far. A later look may tell more. */
export type UnsettledReason =
  /** The index does not have the transaction: it lags, or the transaction is of another network or of none. */
  | 'not_found'
  /** The trace goes on, or is not in final blocks. */
  | 'not_final'
  /** The index does not tell all transactions of the trace. */
  | 'incomplete'
  /** The index does not tell which jetton it was. */
  | 'unknown_asset'
  /** API v3 limits, fails or cannot be reached. */
  | 'unreachable'
  /** The receiver has no `verifyOnChain` any more. */
  | 'not_asked'

/** Why a payment is not proven. */
export type UnverifiedReason = RefutedReason | UnsettledReason

/** A payment on the chain. */
export interface ProvenPayment {
  /** The hash of the payer's message, lower-case hex. */
  message: string
  /**
   * What tells the money that arrived, such as the hash of the message that brought it; in a fixed order. The receiver
   * claims each for the order. The payer's message would not do: contracts pass money on from one payer to the next.
   */
  credits: readonly [string, ...string[]]
  /** What the recipient was credited with, in base units: less than was asked for where contracts on the way took fees. */
  amount: bigint
}

/** What the chain says of a payment. */
export type ProofVerdict =
  /** More than one where the payer sent the same twice in one trace. */
  | { kind: 'proven'; payments: readonly [ProvenPayment, ...ProvenPayment[]] }
  | { kind: 'refuted'; reason: RefutedReason; detail: string }
  | { kind: 'unsettled'; reason: UnsettledReason; detail: string }
