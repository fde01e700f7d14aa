import { checkedInbox } from '../inbox/checked-inbox.js'
import { checkedRepository } from '../orders/checked-repository.js'
import { missingPart, partsOf } from '../engine/add-up.js'
import type { Payments } from '../engine/payments.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { createInvoice } from './create-invoice.js'
import type { CommonOptions } from './invoice-options.js'
import type { PayableOffer } from './payable-offer.js'

/** Options of {@link restInvoice}. */
export interface RestInvoiceOptions extends Pick<CommonOptions, 'v3' | 'network'> {
  payments: Pick<Payments, 'name' | 'internals'>
  reference: string
  /** @default '' */
  merchant?: string | undefined
}

/**
 * Returns the link and the TON Connect request for what is missing of a partially paid order, in the coin of its first part.
 * Use it with `amounts: { partial: 'add-up' }`: otherwise paying the rest completes no order.
 * @returns `undefined` when nothing is missing, no part has arrived, or the order is not open.
 * @throws {ConfigurationError} when an option is invalid, and for an order without `recipient` unless Payments has one wallet.
 * @throws {InvoiceExpiredError} (`ERR_TONPLUG_INVOICE_EXPIRED`) after the end of the offer.
 * @example
 * ```ts
 * import { createPayments, memoryOrderRepository, restInvoice } from '@tonplug/core'
 *
 * const payments = createPayments({
 *   orders: memoryOrderRepository(),
 *   amounts: { partial: 'add-up' },
 * })
 * const rest = await restInvoice({ payments, reference: 'order-1' })
 * console.log(rest?.link ?? 'nothing is missing')
 * ```
 */
export async function restInvoice({
  payments,
  reference,
  merchant = '',
  v3,
  network,
}: RestInvoiceOptions): Promise<PayableOffer | undefined> {
  const { name, internals } = payments
  const { clock, inbox } = internals
  const order = await checkedRepository(internals.orders).find({ reference, merchant })
  if (order === null) return undefined
  const parts = await partsOf({ name, inbox: checkedInbox(inbox) }, order)
  const missing = missingPart(order, parts)
  if (missing === undefined) return undefined
  const { asset, rawAmount, offer } = missing
  const { decimals, expiresAt, rate } = offer
  const wallet = order.recipient ?? walletOf(internals)
  const rest = { asset, rawAmount, decimals, expiresAt, rate }
  const invoice = await createInvoice({ reference, wallet, offers: [rest], v3, network, clock })
  return invoice.offers[0]
}

/** @throws {ConfigurationError} unless there is one. */
function walletOf({ wallets = [] }: Pick<Payments['internals'], 'wallets'>): string {
  const [wallet, ...more] = wallets
  if (wallet !== undefined && more.length === 0) return wallet
  const problem = 'the order has no `recipient`, and Payments does not have exactly one wallet'
  throw new ConfigurationError({ option: 'reference', problem })
}
