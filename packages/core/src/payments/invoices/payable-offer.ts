import type { Cell } from '../../shared/cells/cell.js'
import type { FittedOffer, Offer } from '../orders/offer.js'
import { friendlyAddress } from '../../shared/address.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import type { Clock } from '../../shared/clock.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { secondsOf } from '../../shared/invoice-expiry.js'
import {
  toPayable,
  type Payable,
  type PayableFacts,
  type PayableJson,
} from '../../shared/payable.js'
import { formatUnits } from '../../shared/units.js'
import { findPayerWallet, paymentItem, type InvoiceReader } from './payment-message.js'
import { paymentMessage } from '../orders/payer-message.js'

/** Facts that the payments of an invoice have in common. */
export interface InvoiceTarget {
  /** Friendly. */
  recipient: string
  isTestOnly: boolean
  /** The comment. */
  reference: string
  /** The body of the comment. */
  comment: Cell
  v3: InvoiceReader | undefined
  clock: Clock
}

/** One way to pay an invoice. */
export interface PayableOffer extends Offer, Omit<Payable, 'expiresAt' | 'toJSON'> {
  decimals: number
  /** Whole coins, in decimal digits. */
  amount: string
  /** Returns the fields for a checkout page. */
  readonly toJSON: () => PayableJson & { rate?: FittedOffer['rate'] }
}

/** Returns the link and the TON Connect request of an offer. @param offer its asset is canonical */
export function payableOffer(
  target: InvoiceTarget,
  offer: Offer & { decimals: number },
): PayableOffer {
  const { rawAmount, decimals, rate } = offer
  const amount = formatUnits(rawAmount, decimals)
  const { toJSON, ...payable } = toPayable({ ...payableFacts(target, offer), amount })
  return {
    ...offer,
    ...payable,
    amount,
    toJSON: () => ({
      ...toJSON(),
      ...(rate && { rate: { ...rate, at: rate.at.toISOString() } }),
    }),
  }
}

/** Returns the facts of a payment, without its whole coins. */
export function payableFacts(
  target: InvoiceTarget,
  { rawAmount, asset, expiresAt }: Offer,
): Omit<PayableFacts, 'amount'> {
  const { recipient, isTestOnly, reference, clock } = target
  const master = asset === NATIVE_ASSET ? undefined : asset
  return {
    asset,
    rawAmount,
    reference,
    expiresAt,
    clock,
    network: isTestOnly ? 'testnet' : 'mainnet',
    transfer: {
      address: recipient,
      amount: `${rawAmount}`,
      text: reference,
      jetton: master && friendlyAddress(master, { isBounceable: true, isTestOnly }),
      exp: expiresAt && `${secondsOf(expiresAt.getTime())}`,
    },
    itemOf: (options) => paymentItem({ ...target, ...options, rawAmount, master }),
    async messageOf(options) {
      const jettonWallet =
        master && (await findPayerWallet({ master, v3: readerOf(target) }, options.sender))
      return paymentMessage({ ...target, ...options, jettonWallet, rawAmount })
    },
  }
}

/** @throws {ConfigurationError} without a client of API v3. */
export function readerOf({ v3 }: { v3?: InvoiceReader | undefined }): InvoiceReader {
  if (v3 !== undefined) return v3
  const problem = 'is required for a jetton; pass the result of createV3Client()'
  throw new ConfigurationError({ option: 'v3', problem })
}
