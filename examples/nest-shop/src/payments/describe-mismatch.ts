import type { MismatchedTransfer } from '@tonplug/core'
import { formatAmount } from '../orders/money.js'
import type { ShopOrder } from '../orders/shop-order.js'

/** What does not fit, in words for the buyer. */
export function describeMismatch({ order, decision }: MismatchedTransfer<ShopOrder>): string {
  const { currency, rawAmount } = order.product
  const contact = 'Please contact us, we will sort it out.'
  if (decision.kind === 'asset_mismatch') {
    return `The payment arrived in another currency than ${currency.ticker}. ${contact}`
  }
  if (decision.kind !== 'amount_mismatch') {
    return `A payment arrived that does not fit the order. ${contact}`
  }
  // As sent, so it may be no number at all.
  const isNumber = /^\d{1,80}$/.test(decision.received)
  const received = isNumber ? formatAmount(BigInt(decision.received), currency) : 'Something else'
  return `${received} arrived instead of ${formatAmount(rawAmount, currency)}. ${contact}`
}
