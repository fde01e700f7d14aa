import type { UnverifiedReason } from '../proof/verdict.js'
import type { PaymentSource } from './order.js'

/**
 * What the rules concluded about an authentic delivery. Plain data that survives JSON: amounts are decimal
 * strings in base units, `txHash` is spelt as in `Payment.txHash`.
 */
export type Decision =
  | PaidDecision
  | FailedDecision
  | UnexpectedStatusDecision
  | DuplicateDecision
  | ExtraPaymentDecision
  | PaidAfterCancelDecision
  | AmountMismatchDecision
  | AssetMismatchDecision
  | RecipientMismatchDecision
  | RejectedDecision
  | UnmatchedDecision
  | VerifyingDecision
  | UnverifiedDecision

export type DecisionKind = Decision['kind']

interface DecisionFacts {
  reference: string
  txHash: string
}

/** Rule 8: the order was completed by this transfer. */
export interface PaidDecision extends DecisionFacts {
  kind: 'paid'
  expected: string
  received: string
  /** `custom` when `acceptAmount` judged the amount. */
  amountRule: 'equal' | 'custom'
  /** The order had expired before. */
  late: boolean
  /** Where a reconciler found the transfer; absent when a webhook told it. */
  foundBy?: PaymentSource | undefined
  /** The transfer took place before the order was stored. */
  early?: boolean | undefined
  /** What the chain showed, where `verifyOnChain` asked it. */
  proof?: PaidProof | undefined
}

/** The payment as it stands on the chain. */
export interface PaidProof {
  /** The hash of the payer's message, lower-case hex. */
  message: string
  /** What the recipient was credited with, in base units. */
  credited: string
}

/** Rule 5: the transfer failed. */
export interface FailedDecision extends DecisionFacts {
  kind: 'failed'
  errorCode?: number | undefined
  errorMessage?: string | undefined
}

/** Rule 5: a status that is neither `success` nor `failed`; never paid, and the order is left as it is. */
export interface UnexpectedStatusDecision extends DecisionFacts {
  kind: 'unexpected_status'
  status: string
}

/** Rule 4: the order is completed already, or this very delivery was decided before. */
export interface DuplicateDecision extends DecisionFacts {
  kind: 'duplicate'
  /** What the first delivery was decided to be, when it was this same one. */
  first?: DecisionKind | undefined
  /** The `txHash` that completed the order, when the repository tells. */
  completedBy?: string | undefined
}

/** Rule 4: another transfer has completed the order. The money has arrived and belongs to somebody. */
export interface ExtraPaymentDecision extends DecisionFacts {
  kind: 'extra_payment'
  received: string
  asset: string
  /** The `txHash` that completed the order, when the repository tells. */
  completedBy?: string | undefined
}

/** The transfer is right in all, but the shop had cancelled the order. */
export interface PaidAfterCancelDecision extends DecisionFacts {
  kind: 'paid_after_cancel'
  received: string
  asset: string
}

/** Rule 6. `received` is `rawAmount` as sent, which may be no number at all. */
export interface AmountMismatchDecision extends DecisionFacts {
  kind: 'amount_mismatch'
  expected: string
  received: string
  /** The human-readable amount as sent, when it contradicts `rawAmount`. */
  amount?: string | undefined
  /** The asset as sent, when that is not the order's either. */
  asset?: string | undefined
}

/** Rule 7. Both as given, before they were made canonical. */
export interface AssetMismatchDecision extends DecisionFacts {
  kind: 'asset_mismatch'
  expected: string
  received: string
}

/** The transfer went to a wallet that is not one of ours. */
export interface RecipientMismatchDecision extends DecisionFacts {
  kind: 'recipient_mismatch'
  expected: readonly string[]
  received: string
}

/** One of the shop's own rules said no. */
export interface RejectedDecision extends DecisionFacts {
  kind: 'rejected'
  rule: string
  reason: string
}

/**
 * Right in all that the webhook says, and not yet proven on the chain: the order is left as it is, and the delivery is
 * decided again until its payment is proven, or the time for that is over.
 */
export interface VerifyingDecision extends DecisionFacts {
  kind: 'verifying'
  /** From when the time for the proof counts, milliseconds since the Unix epoch. */
  sinceMs: number
  /** The order had expired when the transfer was told; what becomes of it while the proof goes on does not count. */
  late?: boolean | undefined
  /** How often the chain was looked at, so far. */
  looks?: number | undefined
}

/** The chain shows something else than the webhook says, or nothing in time: never paid, and the order is left as it is. */
export interface UnverifiedDecision extends DecisionFacts {
  kind: 'unverified'
  reason: UnverifiedReason
  /** The reason in words. */
  detail: string
  /** The order had expired when the transfer was told. */
  late?: boolean | undefined
}

/** Rule 3: no order has this reference. The delivery is parked and matched when the order appears. */
export interface UnmatchedDecision extends DecisionFacts {
  kind: 'unmatched'
}
