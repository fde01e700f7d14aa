import type { Order } from './order.js'
import type { TransferData } from './payload.js'

/** A payment on the chain. */
export interface VerifiedPayment {
  /** The hash of the payer's message, lower-case hex. */
  message: string
  /**
   * Identifiers of the money that arrived, one for each transaction that credited the recipient; in a fixed order. Each is
   * used for one order or one refund in the whole database. The payer's message is not one: contracts pass money on from one
   * payer to the next.
   */
  credits: readonly [string, ...string[]]
  /** The transaction that credited the recipient, in canonical format. */
  txHash?: string | undefined
  /** Amount of the credit, in base units: less than requested where contracts on the way took fees. */
  amount: bigint
  /** The jetton wallet that was credited, canonical; absent for the native coin. */
  jettonWallet?: string | undefined
  /** Unix seconds, by the chain, at which the recipient had been credited with the whole amount. */
  utime: number
  /**
   * The canonical hashes of the transactions of the payment: from the payer's message to the credit, in a fixed order. A
   * transaction that several payments share is left out, unless the webhook named it.
   */
  transactions: readonly string[]
}

/** Result of a proof. */
export type VerificationResult =
  /** More than one where the payer sent the same twice in one trace. */
  | { kind: 'verified'; payments: readonly [VerifiedPayment, ...VerifiedPayment[]] }
  /** The chain shows another payment than the reported one. A later look changes nothing. */
  | {
      kind: 'contradicted'
      reason:
        /** `txHash`, `traceId` or `bodyBase64Hash` is not a hash of 256 bits. */
        | 'unreadable'
        /** The transaction is of another trace than the one named. */
        | 'other_trace'
        /** No message of the trace has the body, or the transaction belongs to another payment. */
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
        /** The payment was made before the order was created. */
        | 'older'
        /** Two sources show different payments; `detail` has both answers. */
        | 'sources_differ'
      detail: string
    }
  /** Nothing is proven so far. A later look may change this. */
  | {
      kind: 'pending'
      reason:
        /** The index does not have the transaction: it lags, or the transaction is of another network or of none. */
        | 'not_found'
        /** The trace continues, or is not in final blocks. */
        | 'not_final'
        /** The index does not return all transactions of the trace. */
        | 'incomplete'
        /** The account of the order's asset is not a jetton master, so the jetton wallet cannot be verified. */
        | 'unknown_asset'
        /** A source limits, fails or cannot be reached. */
        | 'unreachable'
        /** The receiver no longer has `verifyOnChain`. */
        | 'not_asked'
      detail: string
    }

/** A result that proves no payment. */
export type Unproven = Exclude<VerificationResult, { kind: 'verified' }>

type Contradicted = Extract<VerificationResult, { kind: 'contradicted' }>

export function contradicted(reason: Contradicted['reason'], detail: string): Contradicted {
  return { kind: 'contradicted', reason, detail }
}

/** A transfer to prove, and the order that it is for. */
export interface PaymentClaim {
  /** The transfer as the webhook reported it, accepted by the rules. */
  transfer: TransferData
  order: Order
}

/** Proves payments on the chain: the receiver's `verifyOnChain`. */
export interface PaymentVerifier {
  readonly deadlineMs: number
  /** Looks once. Rejects only with the reason of `signal`. */
  verify(claim: PaymentClaim, options: { signal: AbortSignal }): Promise<VerificationResult>
}
