import { canonicalAsset } from '../../shared/asset.js'
import { withJson } from '../../shared/with-json.js'
import type { FittedOffer, Offer } from './offer.js'
import type { TransferData } from './payload.js'

/** Status of an order. Only `pending`, `failed` and `expired` orders can still be completed. */
export type OrderStatus = 'pending' | 'failed' | 'expired' | 'cancelled' | 'completed'

/** Identifies an order. */
export interface OrderKey {
  /** The reference that the payer's transfer carries. */
  reference: string
  /** The merchant that the order belongs to; `''` unless one Payments serves several. @default '' */
  merchant?: string | undefined
}

/** The fields of an order that tonplug needs; a shop's own type extends it. */
export interface Order extends OrderKey {
  /** Expected amount in base units (nanotons for the native coin). Left out in an order with `offers`. */
  rawAmount?: bigint | undefined
  /** `'TON'` (or `'GRAM'`), or the jetton master's address in any format. Left out in an order with `offers`. */
  asset?: string | undefined
  /** The ways to pay the order, instead of `rawAmount` and `asset`. A payment must fit one of them. */
  offers?: readonly Offer[] | null | undefined
  /** When the offers end. */
  expiresAt?: Date | null | undefined
  status: OrderStatus
  /** Expected wallet, in any format. Replaces the `wallets` of Payments for this order. */
  recipient?: string | null | undefined
  /**
   * The hash of the message's body, known when the transfer was created. With it, no other payment can be proven for this
   * order: see `createPaymentVerifier`. Where the order has `offers`, it binds only the offer in the native coin.
   */
  bodyBase64Hash?: string | null | undefined
  /** The transfer that completed the order. Needed to distinguish a repeated report from a second payment. */
  payment?: Payment | null | undefined
  /** The last transfer that failed, as given to `fail`. */
  failure?: PaymentFailure | null | undefined
  createdAt?: Date | null | undefined
}

/** An amount that has arrived, in base units. */
export interface ReceivedAmount {
  /** `'TON'`, or the jetton master as `workchain:hash`. */
  asset: string
  rawAmount: bigint
}

/** An amount in one asset. Plain data that survives JSON. */
export interface AssetAmount {
  /** `'TON'`, or the jetton master as `workchain:hash`. */
  asset: string
  /** Base units, in decimal digits. */
  rawAmount: string
}

/**
 * The source that reported a transfer: a signed webhook, the chain watcher, a look-up at the gateway, or an operator who
 * assigned it to an order.
 */
export type ReportSource = 'webhook' | 'chain' | 'gateway' | 'operator'

/** The transfer that completed an order. */
export interface Payment {
  /** Lower-case hex where the report had a 256-bit hash in hex or base64, so that `===` compares; otherwise as sent. */
  txHash: string
  traceId: string
  bodyBase64Hash: string
  /** Received amount in base units. */
  rawAmount: bigint
  /** `'TON'` or the jetton master as `workchain:hex`, lower-case. */
  asset: string
  senderAddr: string
  recipientAddr: string
  /** When the transfer completed, ISO 8601, as sent; `''` when it was not reported. */
  date: string
  /** True when the order had expired before it was paid. */
  isLate: boolean
  /** The source that reported it. Store it: it is needed to distinguish one payment from two. @default 'webhook' */
  source?: ReportSource | undefined
  /** The offer that it fits, where the order has `offers`. */
  offer?: FittedOffer | undefined
  /** Base units that arrived beyond the offer, in decimal digits. */
  surplus?: string | undefined
  /** Everything that an operator has accepted for the order, by asset. `rawAmount` is the sum in `asset`. */
  acceptedAmounts?: readonly AssetAmount[] | undefined
}

/** A transfer that did not succeed. */
export interface PaymentFailure {
  /** Same format as {@link Payment.txHash}. */
  txHash: string
  traceId: string
  /** The reported status, for example `failed` or `error`. */
  status: string
  /** The gateway's own number. Its values are not published; it is not a TVM exit code. */
  errorCode?: number | undefined
  errorMessage?: string | undefined
  date: string
}

/** Returns the payment of a successful transfer whose amount and asset are valid. @param txHash in canonical format */
export function toPayment(
  transfer: TransferData,
  txHash: string,
  facts: Pick<Payment, 'isLate' | 'offer' | 'surplus' | 'acceptedAmounts'> & {
    source: ReportSource
  },
): Payment {
  const { isLate, source, offer, surplus, acceptedAmounts } = facts
  const { traceId, bodyBase64Hash, senderAddr, recipientAddr, date } = transfer
  return withJson({
    txHash,
    traceId,
    bodyBase64Hash,
    rawAmount: BigInt(transfer.rawAmount),
    asset: canonicalAsset(transfer.asset),
    senderAddr,
    recipientAddr,
    date,
    isLate,
    source,
    ...(offer && { offer }),
    ...(surplus !== undefined && { surplus }),
    ...(acceptedAmounts && { acceptedAmounts }),
  })
}

/** Returns the failure of a transfer that did not succeed. @param txHash in canonical format */
export function toPaymentFailure(transfer: TransferData, txHash: string): PaymentFailure {
  const { traceId, status, errorCode, errorMessage, date } = transfer
  return {
    txHash,
    traceId,
    status,
    errorCode,
    errorMessage,
    date,
  }
}

/** Returns a string that identifies an order among the orders of all merchants. */
export function orderId({ reference, merchant = '' }: OrderKey): string {
  return JSON.stringify([merchant, reference])
}

/** Returns true for an order that a payment can complete. */
export function isOpen({ status }: Order): boolean {
  return status === 'pending' || status === 'failed' || status === 'expired'
}
