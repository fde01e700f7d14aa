import type { Invoice, Order } from '@tonplug/core'
import { expiryOf } from './shop.js'

/** The argument of `sendTransaction` of TON Connect. */
export type TonConnectRequest = Awaited<ReturnType<Invoice['tonConnect']>>

/** Creates an invoice for the wallet of the shop. */
export type CreateInvoice = (
  request: Required<Pick<Order, 'reference' | 'rawAmount' | 'asset'>> & { expiresAt: Date },
) => Promise<Invoice>

/**
 * Creates the invoice of a stored order again, and returns the TON Connect request for its payer.
 * @returns undefined when the order does not exist or can no longer be paid.
 * @throws {AddressError} (`ERR_TONPLUG_ADDRESS`) when `sender` is not an address.
 */
export async function tonConnectRequest(
  order: Order | null,
  sender: unknown,
  create: CreateInvoice,
): Promise<TonConnectRequest | undefined> {
  const expiresAt = expiryOf(order?.createdAt ?? undefined)
  if (order?.status !== 'pending' || expiresAt <= new Date()) return undefined
  const { reference, rawAmount, asset } = order
  const invoice = await create({ reference, rawAmount, asset, expiresAt })
  return invoice.tonConnect({ sender: String(sender) })
}
