/** A result that proves no payment. */
export type Unproven =
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

type Contradicted = Extract<Unproven, { kind: 'contradicted' }>

export function contradicted(reason: Contradicted['reason'], detail: string): Contradicted {
  return { kind: 'contradicted', reason, detail }
}
