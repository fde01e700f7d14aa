import type { CheckedInbox } from '../inbox/checked-inbox.js'
import {
  CREDIT_CLAIM,
  type EndedOrder,
  type CreditUse,
  type NamedOrder,
  type StoredCredit,
} from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import type { AcceptedPayment } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { VerifiedPayment } from '../ledger/payment-verifier.js'
import { isSamePayment } from '../orders/same-payment.js'
import { acceptedFor, isAcceptedPayment } from '../engine/accepted-money.js'
import { findObstacle, type Obstacle } from '../engine/paid-elsewhere.js'
import { isRefund, refundOwner, releaseCredits } from '../engine/proposed-refunds.js'
import { recordedPayment, withRecordedPayment } from '../engine/recorded-payment.js'
import { hashesOf } from '../ledger/credit.js'
import { claimedTransactions, isUseOf, paymentClaims } from '../engine/report.js'
import type { ReportedMoney } from './reported-money.js'

/** The stores, and the merchant whose money is returned. */
export interface RefundClaimContext {
  name: string
  inbox: CheckedInbox
  orders: Pick<CheckedRepository<Order>, 'find'>
  merchant: string
}

/** A refund of a payment. */
export interface PaymentRefund {
  payment: VerifiedPayment
  /** The number of its proposal, by which the refund claims the payment. */
  attempt: number
}

/** A refund that has claimed its payment. */
interface ClaimedRefund extends PaymentRefund {
  /** An order may be completed with the payment, by a report from before the claim: propose nothing, and end the claim. */
  isUndecided: boolean
}

/**
 * Claims what no order has used of a payment, so that no order is paid with it.
 * @param refund.attempt the number of the proposal; a later one if refunds of that number were released
 * @param refund.isProposed true when the proposal is stored, whose claim is repeated
 * @returns the payment with the amount that is claimed
 */
export async function claimRefund(
  context: RefundClaimContext,
  money: ReportedMoney,
  { payment, attempt: first, isProposed }: PaymentRefund & { isProposed: boolean },
): Promise<ClaimedRefund | Obstacle['kind']> {
  const credits = await context.inbox.credits.find({ ids: payment.credits })
  const released = Math.max(0, ...credits.map((credit) => credit.releasedRefunds ?? 0))
  const refund = { payment, attempt: Math.max(first, released + 1) }
  const look = async () => {
    if (isProposed) return undefined
    const obstacle = await findObstacle(context, payment.credits)
    if (obstacle?.kind === 'used') await releaseRefund(context, refund)
    return obstacle?.kind
  }
  const former = await look()
  if (former !== undefined) return former
  const isSurplus = await areOfPaidOrders(context, credits)
  const amount = isSurplus
    ? await claimSurplus(context, refund, credits)
    : await claimWhole(context, money, { refund, credits, isProposed })
  if (amount === undefined) return 'used'
  const obstacle = await look()
  if (obstacle === 'used') return obstacle
  // An order has claimed a part at the same moment.
  const isPart = !isSurplus && !isProposed && amount < payment.amount
  const isUndecided = obstacle === 'undecided' || isPart
  return { ...refund, payment: { ...payment, amount }, isUndecided }
}

/** Releases what a refund claimed that was not sent, and can no longer be sent. */
export async function releaseRefund(
  context: RefundClaimContext,
  { payment, attempt }: PaymentRefund,
): Promise<void> {
  const { credits } = payment
  const owner = refundOwner(context, { credit: credits[0], attempt })
  await releaseCredits(context.inbox, owner, credits)
}

/** Returns the hashes that reports of a payment name, and its transactions. */
function hashesOfPayment(
  { txHash, payments }: ReportedMoney,
  { transactions }: VerifiedPayment,
): string[] {
  return [...new Set([txHash, ...claimedTransactions(payments), ...transactions])]
}

/**
 * Returns the claims on a payment: on its credits, and on the hashes by which no report finds them. Payments of a batch share
 * other hashes.
 */
async function claimsOf(
  inbox: CheckedInbox,
  { credits }: VerifiedPayment,
  hashes: readonly string[],
): Promise<string[]> {
  const stored = await inbox.credits.find({ hashes })
  const isStored = credits.every((id) => stored.some((credit) => credit.id === id))
  const found = new Set(isStored ? stored.flatMap(hashesOf) : [])
  const transactions = hashes.filter((hash) => !found.has(hash))
  return paymentClaims({ credits, transactions })
}

function refundOf(
  context: RefundClaimContext,
  { payment: { credits }, attempt }: PaymentRefund,
): UserKey {
  const [credit] = credits
  return { kind: 'refund', ...refundOwner(context, { credit, attempt }) }
}

/** Returns true when orders have used the money, and all of them are completed by it: the rest belongs to no order. */
async function areOfPaidOrders(
  { name, merchant, inbox, orders }: RefundClaimContext,
  credits: readonly StoredCredit[],
): Promise<boolean> {
  const ofOrders = credits.flatMap((credit) =>
    credit.uses.filter(({ kind }) => kind === 'order').map((use) => ({ use, credit })),
  )
  for (const { use, credit } of ofOrders) {
    const { reference } = use
    const key = { name, merchant, reference }
    if (!isUseOf(key, use)) return false
    const order = await withRecordedPayment(inbox, key, await orders.find({ reference, merchant }))
    const completedBy = order?.status === 'completed' ? order.payment?.txHash : undefined
    if (!(await isOfPayment(inbox, { use, credit, completedBy }))) return false
  }
  return ofOrders.length > 0
}

interface UsedCredit {
  use: CreditUse
  credit: StoredCredit
  /** The hash of the payment that has completed the order. */
  completedBy: string | undefined
}

/**
 * Returns true for a credit of the payment that has completed its order. Two sources that name different transactions of the
 * payment may have linked and completed at the same moment.
 */
async function isOfPayment(
  inbox: CheckedInbox,
  { use, credit, completedBy = '' }: UsedCredit,
): Promise<boolean> {
  const { payment } = use
  if (payment === undefined || completedBy === '') return false
  if ([payment, credit.txHash].includes(completedBy)) return true
  if (payment !== credit.txHash || !hashesOf(credit).includes(completedBy)) return false
  // Of several payments in one trace, another one may be linked to the order.
  return (await inbox.credits.listOf(use)).every(
    ({ uses }) => !uses.some((one) => isUseOf(use, one) && one.payment === completedBy),
  )
}

/** Claims what the order has left of its payment. @returns the amount; `undefined` when nothing is left. */
async function claimSurplus(
  context: RefundClaimContext,
  { payment, attempt }: PaymentRefund,
  credits: readonly StoredCredit[],
): Promise<bigint | undefined> {
  const { inbox } = context
  const refund = refundOf(context, { payment, attempt })
  const payments = credits
    .filter((credit) => leftOf(credit) > 0n || credit.uses.some((use) => isSameUse(use, refund)))
    .map(({ id }) => `${CREDIT_CLAIM}${id}`)
  if (payments.length === 0) return undefined
  const isFree = await inbox.credits.claim({ ...refund, payments })
  return isFree ? usedBy(inbox, { payment, refund }) : undefined
}

function leftOf({ rawAmount, uses }: StoredCredit): bigint {
  return uses.reduce((left, use) => left - use.rawAmount, rawAmount)
}

/** Claims a payment that has completed no order. @returns the amount; `undefined` when an order has it. */
async function claimWhole(
  context: RefundClaimContext,
  money: ReportedMoney,
  given: { refund: PaymentRefund; credits: readonly StoredCredit[]; isProposed: boolean },
): Promise<bigint | undefined> {
  const { inbox, name, merchant } = context
  const { credits, isProposed } = given
  const { payment, attempt } = given.refund
  const orders = await otherOrders(context, money, credits)
  if (orders === undefined) return undefined
  const hashes = hashesOfPayment(money, payment)
  // An order that this very payment has completed, by another of its transactions, keeps it.
  const takesFrom = orders.filter(
    (order) => order.payment === undefined || !hashes.includes(order.payment),
  )
  // An order that uses a part is about to be completed, or is not known here.
  const isTaken = (use: CreditUse): boolean =>
    takesFrom.some(({ reference }) => isUseOf({ name, merchant, reference }, use))
  const uses = credits.flatMap((credit) => credit.uses)
  if (!isProposed && uses.some((use) => use.kind === 'order' && !isTaken(use))) return undefined
  const payments = await claimsOf(inbox, payment, hashes)
  const refund = refundOf(context, { payment, attempt })
  const isFree = await inbox.credits.claim({ ...refund, payments, takesFrom })
  return isFree ? usedBy(inbox, { payment, refund }) : undefined
}

/** Returns what a refund has used of a payment. Of a credit that is not stored it has used all. */
async function usedBy(
  inbox: CheckedInbox,
  { payment, refund }: { payment: VerifiedPayment; refund: UserKey },
): Promise<bigint> {
  const credits = await inbox.credits.find({ ids: payment.credits })
  return credits.reduce((amount, { rawAmount, uses }) => {
    const own = uses.filter((use) => isSameUse(use, refund))
    return amount - rawAmount + own.reduce((sum, use) => sum + use.rawAmount, 0n)
  }, payment.amount)
}

type UserKey = Pick<CreditUse, 'kind' | 'name' | 'merchant' | 'reference'>

function isSameUse(use: UserKey, other: UserKey): boolean {
  const isSame = use.kind === other.kind && use.name === other.name
  return isSame && use.merchant === other.merchant && use.reference === other.reference
}

/**
 * Returns the orders that were cancelled, or that another payment has completed, at the same moment, and that may have claimed
 * the money. `undefined` when the money has completed an order.
 */
async function otherOrders(
  { orders, inbox, merchant, name }: RefundClaimContext,
  { txHash, transfer, reports }: ReportedMoney,
  credits: readonly StoredCredit[],
): Promise<EndedOrder[] | undefined> {
  const others: EndedOrder[] = []
  const own = credits.map(({ id }) => id)
  // Where the chain has shown the money, the hash is of one credit, whichever source names it too.
  const isShown = reports.some((one) => one.source === 'chain')
  // A proposal repeats another report, and says nothing about the order.
  for (const report of reports.filter((one) => !isRefund(one))) {
    const { reference, source, state, decision } = report
    const order = await orders.find({ reference, merchant })
    const hash = order?.status === 'completed' ? order.payment?.txHash : undefined
    const accepted = await acceptedFor(inbox, report)
    const key = { name, merchant, reference }
    if (await mayBeAccepted(inbox, key, { accepted, credits })) return undefined
    // Whatever hashes the reports name, the ledger knows which credit the order has used.
    if (hash !== undefined && (await isLinkedElsewhere(inbox, { ...key, hash, own }))) {
      others.push({ reference, payment: hash })
      continue
    }
    if (hasPaid(report, reports)) return undefined
    // No attempt that has claimed the money is about to complete it.
    const isCancelled = order?.status === 'cancelled' && state === 'decided'
    if (order === null || !(order.status === 'completed' || isCancelled)) continue
    // An order that was cancelled after it was completed keeps its payment.
    const payment = order.payment ?? (await recordedPayment(inbox, report))
    const shownBy = isShown ? 'chain' : source
    const isExtra = decision?.kind === 'extra_payment'
    // Of the credits of one trace, the engine has linked the accepted one.
    const isAccepted =
      !(isExtra && source === 'chain') &&
      isAcceptedPayment(accepted, { txHash, transfer, source: shownBy })
    // The acceptance lists what has completed the order more exactly than its payment.
    const isListed = accepted.some((one) => one.txHash === payment?.txHash)
    // An order that was settled in another way has no payment. A report that is not decided may be its payment.
    const isOther = payment
      ? isExtra || isListed || !isSamePayment(payment, { txHash, transfer, source })
      : state === 'decided'
    if (!isOther || isAccepted) return undefined
    others.push({ reference, payment: payment?.txHash })
  }
  return others
}

/** Returns true when the payment of an order is linked to other credits. */
async function isLinkedElsewhere(
  inbox: CheckedInbox,
  { hash, own, ...key }: NamedOrder & { hash: string; own: readonly string[] },
): Promise<boolean> {
  const credits = await inbox.credits.listOf(key)
  const used = credits.filter(({ uses }) => uses.some((use) => isUseOf(key, use)))
  const isLinked = used.some(({ uses }) => uses.some((use) => use.payment === hash))
  return isLinked && !used.some(({ id }) => own.includes(id))
}

interface Accepted {
  accepted: readonly AcceptedPayment[]
  credits: readonly StoredCredit[]
}

/**
 * Returns true for credits that an operator may have accepted for an order: any credit of the trace until the order uses one.
 */
async function mayBeAccepted(
  inbox: CheckedInbox,
  key: NamedOrder,
  { accepted, credits }: Accepted,
): Promise<boolean> {
  if (accepted.length === 0) return false
  const own = new Set(credits.map(({ id }) => id))
  const used = (await inbox.credits.listOf(key)).filter(({ uses }) =>
    uses.some((use) => isUseOf(key, use)),
  )
  return accepted.some(({ txHash, asset }) => {
    const isNamed = (credit: StoredCredit): boolean =>
      credit.asset === asset && hashesOf(credit).includes(txHash)
    const isOther = used.some((credit) => !own.has(credit.id) && isNamed(credit))
    return !isOther && credits.some(isNamed)
  })
}

/**
 * A duplicate is the payment of its order if it repeats no other report, or one that has paid: unless the chain shows that its
 * transaction is another payment of the trace.
 */
function hasPaid({ decision, ...report }: Report, reports: readonly Report[]): boolean {
  if (decision?.kind === 'paid') return true
  if (decision?.kind !== 'duplicate') return false
  if (decision.first === undefined) return true
  return decision.first === 'paid' && !reports.some((other) => isShownExtra(other, report))
}

function isShownExtra(
  { source, decision, merchant, reference }: Report,
  order: Pick<Report, 'merchant' | 'reference'>,
): boolean {
  const isOfOrder = merchant === order.merchant && reference === order.reference
  return source === 'chain' && isOfOrder && decision?.kind === 'extra_payment'
}
