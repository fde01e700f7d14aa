import {
  canonicalAsset,
  isOrderKey,
  isTonplugError,
  restInvoice,
  type Invoice,
  type InvoiceWithOffers,
  type Offer,
  type Order,
  type OrderStatus,
  type PayableOffer,
  type RestInvoiceOptions,
} from '@tonplug/core'
import type { PostgresOrderRepository } from '@tonplug/postgres'

/** The state of an order and its payment, for the page of its buyer. */
export interface Receipt {
  status: OrderStatus
  payment?: {
    /** `'TON'`, or the jetton master as `workchain:hash`. */
    asset: string
    /** Base units, in decimal digits. */
    rawAmount: string
    /** ISO 8601; `''` when it is unknown. */
    date: string
    isLate: boolean
    txHash: string
    /** The page of the transaction in an explorer. */
    url: string
  }
}

/** The argument of `sendTransaction` of TON Connect. */
export type TonConnectRequest = Awaited<ReturnType<Invoice['tonConnect']>>

/** Creates the invoice of stored offers for the wallet of the shop. */
export type CreateInvoice = (stored: {
  reference: string
  offers: readonly Offer[]
}) => Promise<InvoiceWithOffers>

/** Finds an order by the reference of a URL. */
export async function findOrder(
  orders: Pick<PostgresOrderRepository, 'find'>,
  reference: string,
): Promise<Order | null> {
  return isOrderKey({ reference }) ? orders.find({ reference }) : null
}

/** Returns the state of an order. @param explorer see `ShopSettings` */
export function receiptOf({ status, payment }: Order, explorer: string): Receipt {
  if (!payment) return { status }
  const { asset, rawAmount, date, isLate, txHash } = payment
  const url = explorer + encodeURIComponent(txHash)
  return { status, payment: { asset, rawAmount: `${rawAmount}`, date, isLate, txHash, url } }
}

/** Returns the link for what is missing of a partially paid order; undefined when nothing can be paid. */
export async function findRest(options: RestInvoiceOptions): Promise<PayableOffer | undefined> {
  return isOrderKey(options) ? restInvoice(options).catch(undefinedWhenOver) : undefined
}

/**
 * Creates the invoice of a stored order again, and returns the TON Connect request for its payer.
 * @param body of the request: `sender` is the wallet of the payer, `asset` that of the chosen offer
 * @returns undefined when the order does not exist or can no longer be paid.
 * @throws {AddressError} (`ERR_TONPLUG_ADDRESS`) when `sender` or `asset` is invalid.
 */
export async function tonConnectRequest(
  order: Order | null,
  body: { sender?: unknown; asset?: unknown } | undefined,
  create: CreateInvoice,
): Promise<TonConnectRequest | undefined> {
  if (order?.status !== 'pending' || !order.offers) return undefined
  const { reference, offers } = order
  const chosen = canonicalAsset(String(body?.asset))
  const invoice = await create({ reference, offers }).catch(undefinedWhenOver)
  const offer = invoice?.offers.find(({ asset }) => asset === chosen)
  return offer?.tonConnect({ sender: String(body?.sender) })
}

/** Returns true for an invalid address in a request. */
export function isAddressError(error: unknown): boolean {
  return isTonplugError(error) && error.code === 'ERR_TONPLUG_ADDRESS'
}

/** @throws {Error} other errors than the end of the time to pay. */
function undefinedWhenOver(error: unknown): undefined {
  if (isTonplugError(error) && error.code === 'ERR_TONPLUG_INVOICE_EXPIRED') return undefined
  throw error
}
