import type { Order } from '../orders/order.js'
import type { TransferData } from '../orders/payload.js'
import type { Unproven } from '../orders/unproven.js'
import type { Credit } from './credit.js'

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
  /**
   * These credits as the chain shows them. The ledger stores them: sums, refunds of a surplus, and reports by other transactions
   * of the payment need them. When several sources must agree, the route begins with the payer's message, and has no fees. A
   * proof of your own may leave them out.
   */
  ledgerCredits?: readonly Credit[] | undefined
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
  { kind: 'verified'; payments: readonly [VerifiedPayment, ...VerifiedPayment[]] } | Unproven

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
