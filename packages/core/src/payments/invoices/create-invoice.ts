import type { z } from 'zod'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { checkExpiry } from '../../shared/invoice-expiry.js'
import { toInvoice, type Invoice } from '../../shared/invoice.js'
import { isObject } from '../../shared/is-object.js'
import { parseOptions } from '../../shared/options.js'
import { randomReference } from '../../shared/random-reference.js'
import { formatUnits, toUnits } from '../../shared/units.js'
import { checkRecipient } from './check-recipient.js'
import { SIMPLE, type InvoiceOptions, type InvoiceWithOffersOptions } from './invoice-options.js'
import { boundBody, checkUnits, decimalsOf, targetOf } from './invoice-target.js'
import { createOffered, createPriced, type InvoiceWithOffers } from './invoice-with-offers.js'
import { payableFacts } from './payable-offer.js'

/**
 * Creates an invoice: the order to store, a link for wallet apps, and the requests for TON Connect. Store `order` before the
 * payer sees the invoice. With `price`, `currency` and `accept`, the order has an offer in each coin, each with its own link
 * and request. To create the invoice of a stored order again, pass its `reference`, its `rawAmount` and `asset` or its
 * `offers`, and its `recipient` as `wallet`.
 * @throws {ConfigurationError} when an option is missing or invalid.
 * @throws {AmountError} (`ERR_TONPLUG_AMOUNT`) for an invalid `amount`.
 * @throws {RateError} (`ERR_TONPLUG_RATE`) when a rate is old, late, invalid, out of bounds or a jump from the last one: no
 *   invoice is created. Without `bounds` and `orders`, the first rate of a process is compared with nothing.
 * @throws {RepositoryError} when `orders` cannot be read.
 * @throws {InvoiceExpiredError} (`ERR_TONPLUG_INVOICE_EXPIRED`) when `expiresAt`, or the end of the offers, has passed.
 * @example
 * ```ts
 * import { createInvoice } from '@tonplug/core'
 *
 * const invoice = await createInvoice({ wallet: 'UQ…your wallet', amount: '10.5', asset: 'TON' })
 * console.log(invoice.order.reference, invoice.link)
 * ```
 */
export function createInvoice(options: InvoiceOptions): Promise<Invoice>
export function createInvoice(options: InvoiceWithOffersOptions): Promise<InvoiceWithOffers>
export async function createInvoice(
  options: InvoiceOptions | InvoiceWithOffersOptions,
): Promise<Invoice | InvoiceWithOffers> {
  if (isObject(options) && options['price'] !== undefined) return createPriced(options)
  if (isObject(options) && options['offers'] !== undefined) return createOffered(options)
  return createSimple(options)
}

/** Creates an invoice for an amount in one asset. */
async function createSimple(options: unknown): Promise<Invoice> {
  const checked = parseOptions(SIMPLE(), options)
  const { reference = randomReference(), asset: paidIn, expiresAt, clock } = checked
  checkExpiry({ reference, expiresAt }, clock)
  const target = targetOf(options, { checked, reference })
  const isJetton = paidIn !== NATIVE_ASSET
  const { v3 } = checked
  const [decimals] = await Promise.all([
    knownDecimals(checked),
    isJetton && v3 && checkRecipient(v3, checked.wallet, clock),
  ])
  const rawAmount = rawAmountOf(checked, decimals)
  // Wallets write the body of a jetton transfer differently.
  const bodyBase64Hash = isJetton ? undefined : await boundBody(checked, target)
  const order = {
    reference,
    rawAmount,
    asset: paidIn,
    status: 'pending' as const,
    recipient: target.recipient,
    bodyBase64Hash,
    createdAt: new Date(clock.nowMs()),
  }
  const amount = decimals === undefined ? undefined : formatUnits(rawAmount, decimals)
  return toInvoice({
    ...payableFacts(target, { rawAmount, asset: paidIn, expiresAt }),
    order,
    amount,
  })
}

type SimpleChecked = z.output<ReturnType<typeof SIMPLE>>

/** Returns the decimals of the asset; `undefined` for base units of a jetton, without a client to ask for them. */
async function knownDecimals(checked: SimpleChecked): Promise<number | undefined> {
  const { asset: paidIn, decimals, amount, v3 } = checked
  const isUnknown = paidIn !== NATIVE_ASSET && decimals === undefined && v3 === undefined
  return isUnknown && amount === undefined ? undefined : decimalsOf(checked, checked)
}

function rawAmountOf({ amount, rawAmount }: SimpleChecked, decimals = 0): bigint {
  if ((amount === undefined) === (rawAmount === undefined)) {
    const received = amount === undefined ? 'neither' : 'both'
    const problem = `must be passed as amount or as rawAmount; received ${received}`
    throw new ConfigurationError({ option: 'amount', problem })
  }
  const units = rawAmount ?? toUnits(amount ?? '', decimals)
  return checkUnits(units, amount === undefined ? 'rawAmount' : 'amount')
}
