import type { ReportedPayment } from '../../ledger/link.js'

/** The payment that is looked for. Addresses are canonical, hashes lower-case hex. */
export interface ExpectedPayment extends Omit<ReportedPayment, 'order'> {
  /** The hash of the body of the payer's message. */
  bodyHash: string
  /** The recipient's wallet for the jetton, as its master computes it. Without it no payment in a jetton is proven. */
  jettonWallet?: string | undefined
  /** The hash of the first transaction of the trace, or of the message that began it. */
  traceId?: string | undefined
  /** Creation time of the order, milliseconds since the Unix epoch. Absent where a payment of any age is accepted. */
  createdMs?: number | undefined
  /** The comment that names the order, where no body hash binds the payment to it. */
  comment?: string | undefined
  /** The reference of the order. */
  reference?: string | undefined
}
