import type { CheckedInbox } from '../inbox/checked-inbox.js'
import { CREDIT_CLAIM, type NamedOrder } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import { isWithinFees } from '../ledger/link.js'
import { decide } from '../orders/decide.js'
import type { Decision } from '../orders/decision.js'
import { readBodyHash } from '../orders/body-hash.js'
import type { Order, Payment } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'
import { isSameAsset, unlessInvalid } from './compare-reports.js'
import type { EngineParts, Policy } from './engine-parts.js'
import { paidCredits } from './end-lost-uses.js'
import { linkReport } from './link-report.js'
import { reused } from './paid-elsewhere.js'
import { withRecordedPayment } from './recorded-payment.js'
import { claimedTransactions, creditsOf, isUseOf, keyOf, usedAmountOf } from './report.js'

/** A webhook reports a payment within this time; the clocks of the sources may differ. */
const LONGEST_REPORT_MS = 600_000

interface Linkable<O extends Order> {
  report: Report
  transfer: TransferData
  order: O | null
}

/**
 * Links a credit to the payment that completed its order. A payment has one credit: the credit with its hash, unless the webhook
 * describes another one of the trace; or else, where a webhook has named another transaction of the trace, with or without the
 * trace, the first one that fits. That credit is a
 * repetition, and is claimed for the order. Any other credit of the trace is an extra payment. A credit with another use is
 * `unverified`: the order was completed without money of its own. Other decisions are returned unchanged.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function linkCredit<O extends Order>(
  { stores, policy }: Pick<EngineParts<O>, 'stores' | 'policy'>,
  decision: Decision,
  facts: Linkable<O>,
): Promise<Decision> {
  const { report, transfer, order } = facts
  if (decision.kind !== 'duplicate' && decision.kind !== 'extra_payment') return decision
  if (report.source !== 'chain' || order === null) return decision
  const { completedBy } = decision
  const { name, merchant, reference, txHash, payments } = report
  const [credit] = creditsOf(report)
  if (completedBy === undefined || credit === undefined) return decision
  if (decision.kind === 'extra_payment' && !isNamedBy({ ...order.payment }, facts)) return decision
  const { rawAmount: received, asset } = transfer
  const extra = { kind: 'extra_payment', reference, txHash, received, asset, completedBy } as const
  const key = { name, merchant, reference }
  const { credits } = stores.inbox
  if (!mayBePayment(policy, { ...facts, order })) {
    const isNamed = completedBy === txHash
    if (!isNamed || (await describesOther(stores.inbox, key, credit))) return extra
  }
  const usedAmount = order.payment
    ? (usedAmountOf(order.payment) ?? reportedOf(order.payment, asset))
    : undefined
  const same = { kind: 'duplicate', reference, txHash, completedBy } as const
  const claim = { ...key, payment: completedBy, usedAmount }
  // A webhook about other money of the trace may have claimed a transaction for its order.
  const ofCredit = payments.filter((one) => one === `${CREDIT_CLAIM}${credit}`)
  if (await credits.claim({ ...claim, payments })) return same
  if (await credits.claim({ ...claim, payments: ofCredit })) return same
  const isLinked = (await credits.listOf(key)).some(
    ({ id, uses }) =>
      id !== credit && uses.some((use) => isUseOf(key, use) && use.payment === completedBy),
  )
  return isLinked ? extra : reused(report)
}

/** Returns true when the webhook that completed an order names the transaction of a credit, and describes another one of its trace. */
async function describesOther(
  inbox: CheckedInbox,
  key: NamedOrder,
  credit: string,
): Promise<boolean> {
  const [report] = await inbox.reports.list({ ...key, decision: 'paid', limit: 1 })
  if (report === undefined || report.source === 'operator') return false
  const transfer = readStoredTransfer(report.rawBody)
  const described = await describedCredit(inbox, { report, transfer })
  return described !== undefined && described !== credit
}

/**
 * Returns an extra payment when the chain shows that a report, which seems to repeat the payment of its order, is about other money:
 * the payment has other credits than the one it names or describes. Other decisions are returned unchanged.
 * @throws {RepositoryError} when a store fails.
 */
export async function unlessOtherCredit<O extends Order>(
  stores: EngineParts<O>['stores'],
  decision: Decision,
  { report, transfer }: Linkable<O>,
): Promise<Decision> {
  const { inbox } = stores
  if (report.source === 'chain' || transfer.status !== 'success') return decision
  const isUsed = decision.kind === 'unverified' && decision.reason === 'reused'
  const completedBy =
    decision.kind === 'duplicate'
      ? decision.completedBy
      : isUsed
        ? await paymentOf(stores, report)
        : undefined
  if (completedBy === undefined) return decision
  const own = creditsOf(report)[0] ?? (await describedCredit(inbox, { report, transfer }))
  if (own === undefined) return decision
  const paid = await paidCredits(inbox, report, completedBy)
  if (paid.length === 0 || paid.some(({ id }) => id === own)) return decision
  const { reference, txHash } = report
  const { rawAmount: received, asset } = transfer
  return { kind: 'extra_payment', reference, txHash, received, asset, completedBy }
}

/** Returns the payment that another report has completed the order with at the same moment, or is about to, with the same hash. */
async function paymentOf<O extends Order>(
  { orders, inbox }: EngineParts<O>['stores'],
  report: Report,
): Promise<string | undefined> {
  const order = await withRecordedPayment(inbox, report, await orders.find(keyOf(report)))
  return order?.status === 'completed' ? order.payment?.txHash : report.txHash
}

async function describedCredit(
  inbox: CheckedInbox,
  facts: Pick<Linkable<Order>, 'report' | 'transfer'>,
): Promise<string | undefined> {
  const linked = await linkReport(inbox, { ...facts, order: null })
  return linked.kind === 'linked' ? linked.credit : undefined
}

/** A webhook may name a transaction that brought more than it reports: what the order does not need of it stays unused. */
function reportedOf({ rawAmount, asset }: Payment, credited: string): bigint | undefined {
  const isSame = unlessInvalid(() => canonicalAsset(`${asset}`)) === canonicalAsset(credited)
  return isSame ? parseBaseUnits(`${rawAmount}`) : undefined
}

/**
 * Returns true when the webhook that completed an order may be about a credit, although it does not name the trace: it names a
 * transaction that led to the credit, or else the sender and the body of the payer's message.
 */
function isNamedBy(payment: Partial<Payment>, { report, transfer }: Linkable<Order>): boolean {
  const {
    txHash = '',
    traceId,
    source = 'webhook',
    senderAddr = '',
    bodyBase64Hash,
    date = '',
  } = payment
  if (traceId !== '' || source === 'chain' || source === 'operator') return false
  if (claimedTransactions(report.payments).includes(txHash)) return true
  const bodyHash = readBodyHash(bodyBase64Hash)
  if (bodyHash === undefined || bodyHash !== readBodyHash(transfer.bodyBase64Hash)) return false
  if (!isSameAsset(payment, transfer)) return false
  // A second payment with the same message. A date that is not known is not compared.
  if (Date.parse(transfer.date) - Date.parse(date) > LONGEST_REPORT_MS) return false
  const sender = unlessInvalid(() => canonicalAddress(senderAddr))
  return senderAddr === '' || sender === canonicalAddress(transfer.senderAddr)
}

/** Returns true for a credit that would pay the order if it were open. Contracts on the way may take the fees of the chain. */
function mayBePayment<O extends Order>(
  { wallets, amounts: policy, rules }: Policy<O>,
  { report, transfer, order }: Linkable<O> & { order: O },
): boolean {
  const open: O = { ...order, status: 'pending', payment: undefined }
  const { txHash, source, receivedAtMs } = report
  const isPaidAmount = `${order.payment?.rawAmount}` === transfer.rawAmount
  const lateRule = isPaidAmount ? ('accepted' as const) : undefined
  const facts = { order: open, transfer, txHash, source, wasCompletedBefore: false }
  const late = { receivedAtMs, lateRule }
  const verdict = decide<O>({ ...facts, ...late, wallets, amounts: policy, rules })
  if (verdict.kind !== 'amount_mismatch') return verdict.kind === 'paid'
  const amounts = { expected: BigInt(verdict.expected), received: BigInt(verdict.received) }
  return verdict.asset === undefined && isWithinFees(canonicalAsset(transfer.asset), amounts)
}
