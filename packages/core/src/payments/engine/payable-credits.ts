import type { StoredCredit } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { VerifiedPayment } from '../ledger/payment-verifier.js'
import { orderId, type Order } from '../orders/order.js'
import { creditsOf, isUseOf, paymentClaims } from './report.js'

/**
 * Returns the payments that may pay the order, one of them: the first that has no other use.
 * @returns `undefined` when the order has claimed another one than the report names.
 */
export function candidatesOf(
  report: Report,
  stored: readonly StoredCredit[],
  payments: readonly VerifiedPayment[],
): readonly VerifiedPayment[] | undefined {
  const claimed = claimedOf(report, stored, payments)
  if (claimed.length === 0) return payments
  const credited = creditsOf(report)
  const isOfChain = report.source === 'chain'
  const isNamed = ({ credits, txHash }: VerifiedPayment): boolean =>
    isOfChain ? credits.some((id) => credited.includes(id)) : txHash === report.txHash
  const namesOne = isOfChain || payments.some(isNamed)
  return namesOne && !claimed.some(isNamed) ? undefined : claimed
}

/** Returns the payments that the order has claimed by another report: it uses one of two equal payments only. */
export function claimedOf(
  report: Report,
  stored: readonly StoredCredit[],
  payments: readonly VerifiedPayment[],
): VerifiedPayment[] {
  // The operator has chosen one.
  if (report.source === 'operator') return []
  const used = stored.filter(({ uses }) => uses.some((use) => isUseOf(report, use)))
  return payments.filter(({ credits }) => used.some(({ id }) => credits.includes(id)))
}

/** Returns true for a webhook about money that names another order. An operator decides otherwise. */
export function namesOther(credits: readonly StoredCredit[], report: Report): boolean {
  const isReported = report.source === 'webhook' || report.source === 'gateway'
  return isReported && credits.some(({ order }) => order && orderId(order) !== orderId(report))
}

/**
 * Returns the claims on a proven payment. Unless the order's body hash or the credits bind it to the order, a merchant's
 * webhook alone says which payment is meant: it must not take a credit from another merchant of the same wallet.
 */
export function claimsOf(
  { credits, transactions }: VerifiedPayment,
  { report, order, stored }: { report: Report; order: Order; stored: readonly StoredCredit[] },
): string[] {
  const { merchant, source } = report
  const isNamed =
    stored.length === credits.length &&
    stored.every((credit) => credit.order && orderId(credit.order) === orderId(report))
  const isBound = source === 'chain' || source === 'operator' || Boolean(order.bodyBase64Hash)
  const isTrusted = merchant === '' || isBound || isNamed
  const claims = paymentClaims({ credits: isTrusted ? credits : [], transactions })
  return isTrusted ? claims : [...credits, ...claims]
}
