import type { FittedOffer } from './offer.js'
import type { AssetAmount, ReportSource } from './order.js'
import type { Unproven } from './unproven.js'

/** A payment that an operator accepted for an order, as one source reported it. Two sources may report one payment. */
export interface AcceptedPayment {
  /** Same format as `Payment.txHash`. */
  txHash: string
  traceId: string
  source: ReportSource
  rawAmount: string
  asset: string
}

/**
 * The outcome of the rules for one report. Plain data that survives JSON: amounts are decimal strings in base units,
 * `txHash` has the format of `Payment.txHash`.
 */
export type Decision = { reference: string; txHash: string } & (
  | {
      /** Rule 8: the order was completed by this transfer. */
      kind: 'paid'
      expected: string
      received: string
      /**
       * `policy` for another amount that `amounts` accepts; `custom` when a function of the shop decided about the amount;
       * `accepted` when an operator accepted what arrived, whatever its amount and asset, and whatever the shop's own rules say.
       */
      amountRule: 'equal' | 'policy' | 'custom' | 'accepted'
      /** The payments that an operator accepted. Only with the `amountRule` `accepted`. */
      accepted?: readonly AcceptedPayment[] | undefined
      /** The sums of the accepted payments by asset, each payment once. `received` is the sum in the asset of `txHash`. */
      acceptedAmounts?: readonly AssetAmount[] | undefined
      /** Base units that arrived beyond the offer. */
      surplus?: string | undefined
      /** The transactions whose amounts add up to `received`, where there are several. */
      parts?: readonly { txHash: string; rawAmount: string }[] | undefined
      /** The order had expired before. */
      isLate: boolean
      /** The source whose report completed the order. */
      source: ReportSource
      /** The offer that the payment fits, where the order has `offers`. */
      offer?: FittedOffer | undefined
      /** The transfer took place before the order was stored. */
      isEarly?: boolean | undefined
      /** The on-chain payment, where `verifyOnChain` proved it. */
      proof?:
        | {
            /** The hash of the payer's message, lower-case hex. */
            message: string
            /** The amount that the recipient was credited with, in base units. */
            credited: string
          }
        | undefined
    }
  | {
      /** Rule 5: the transfer has any status other than `success`. */
      kind: 'failed'
      status: string
      errorCode?: number | undefined
      errorMessage?: string | undefined
    }
  | {
      /** Rule 4: this transfer completed the order before, or this report was decided before. */
      kind: 'duplicate'
      /** The decision about the first report, when this is a repetition of it. */
      first?: DecisionKind | undefined
      /** The `txHash` that completed the order, when the repository returns it. */
      completedBy?: string | undefined
    }
  | {
      /** Rule 4: another transfer has completed the order. The money has arrived and should be refunded or credited. */
      kind: 'extra_payment'
      received: string
      asset: string
      /** The `txHash` that completed the order, when the repository returns it. */
      completedBy?: string | undefined
      /** The handlers run for another report, or when the watcher has shown this money. */
      toldByChain?: true | undefined
      /** The id of the credit that it is about, whose handlers run once. */
      credit?: string | undefined
    }
  | {
      /** The transfer passed every rule, but the shop had cancelled the order. */
      kind: 'paid_after_cancel'
      received: string
      asset: string
      /** The handlers run for another report, or when the watcher has shown this money. */
      toldByChain?: true | undefined
      /** The id of the credit that it is about, whose handlers run once. */
      credit?: string | undefined
    }
  | {
      /**
       * Rule 6. `received` is `rawAmount` as sent, which may be an invalid number. Of several offers, `expected` is the amount
       * of the offer in the same asset, otherwise of the first.
       */
      kind: 'amount_mismatch'
      expected: string
      received: string
      /** The asset as sent, when the order has no offer in it. */
      asset?: string | undefined
      /** The handlers run for another report, or when the watcher has shown this money. */
      toldByChain?: true | undefined
      /** The id of the credit that it is about, whose handlers run once. */
      credit?: string | undefined
      /** The payment came after the end of the offer, whatever its amount is. */
      isLate?: boolean | undefined
      /** The shop's rule `acceptLate` has thrown or was too slow. The payment can be decided again. */
      lateRule?: 'failed' | undefined
    }
  | {
      /** Rule 7. Both values as given; the assets of several offers are separated by a comma and a space. */
      kind: 'asset_mismatch'
      expected: string
      received: string
      /** The handlers run for another report, or when the watcher has shown this money. */
      toldByChain?: true | undefined
      /** The id of the credit that it is about, whose handlers run once. */
      credit?: string | undefined
    }
  | {
      /** The transfer went to a wallet that is not one of ours. */
      kind: 'wallet_mismatch'
      expected: readonly string[]
      received: string
      /** Identifies the money by its trace: its handlers run once. */
      credit?: string | undefined
    }
  | {
      /** One of the shop's own rules rejected the transfer. */
      kind: 'rejected'
      rule: string
      reason: string
      /** The handlers run for another report, or when the watcher has shown this money. */
      toldByChain?: true | undefined
      /** The id of the credit that it is about, whose handlers run once. */
      credit?: string | undefined
    }
  | {
      /**
       * Rule 3: no order has this reference. The report is parked and decided again when the order appears. Final for a
       * transfer without a reference (`''`), which an operator handles: see `operator.assign`.
       */
      kind: 'unknown_order'
      /** The handlers run for another report, or when the watcher has shown this money. */
      toldByChain?: true | undefined
      /** The id of the credit that it is about, whose handlers run once. */
      credit?: string | undefined
    }
  | {
      /**
       * The report passed every rule and waits for its on-chain proof: the order is unchanged, and the report is decided
       * again until the payment is proven or the proof's deadline passes.
       */
      kind: 'verifying'
      /** Start of the proof's deadline, milliseconds since the Unix epoch. */
      sinceMs: number
      /** True when the order had expired when the transfer was reported; later changes do not count. */
      isLate?: boolean | undefined
      /** Number of attempts to prove the payment so far. */
      looks?: number | undefined
    }
  | {
      /** The chain contradicts the report, shows nothing in time, or the payment has paid another order. The order is unchanged. */
      kind: 'unverified'
      reason: Unproven['reason']
      /** The reason in words. */
      detail: string
      /** True when the order had expired when the transfer was reported. */
      isLate?: boolean | undefined
    }
  | {
      /** An operator was given a transfer that returns the money to its payer. No order is changed. */
      kind: 'refund'
      /** 1 for the first proposal for this transaction. */
      attempt: number
      /** Identifies the proposal. */
      id: string
      /** Unix seconds; the wallet contract rejects the message afterwards. */
      validUntil: number
      /** The payer, a raw address. */
      to: string
      rawAmount: string
      asset: string
    }
)

export type DecisionKind = Decision['kind']

/** The decisions of some kinds, for example `DecisionOf<'paid'>`. */
export type DecisionOf<Kind extends DecisionKind> = Extract<Decision, { kind: Kind }>
