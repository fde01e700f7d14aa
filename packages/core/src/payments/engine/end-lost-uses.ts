import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import {
  CREDIT_CLAIM,
  type CreditUse,
  type NamedOrder,
  type StoredCredit,
} from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import { hashesOf, ownTransactions, payerMessage } from '../ledger/credit.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import type { Stores } from './engine-parts.js'
import { namedHashes, type LinkableReport } from './link-report.js'
import { paymentOf, recordedPayment } from './recorded-payment.js'
import { creditsOf, isUseOf, transactionClaim, usedAmountOf } from './report.js'

/** A credit that an order has claimed, the hash of the payment for which it did, and the amount. */
interface Claimed extends Pick<CreditUse, 'payment' | 'rawAmount'> {
  credit: StoredCredit
}

/**
 * Settles what an order has claimed and was not completed with. Where the orders are in another store, a payment is claimed before
 * it completes its order, and the order may be cancelled in between, or completed by another payment: then the use ends. Two sources
 * may have claimed one payment by different transactions: then the use takes over the hash that has completed the order.
 * @returns the decision about the report.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function settleLostUses<O extends Order>(
  { inbox, joined }: Pick<Stores<O>, 'inbox' | 'joined'>,
  decision: Decision,
  facts: LinkableReport,
): Promise<Decision> {
  if (joined !== undefined) return decision
  const { report, order } = facts
  const { name, merchant, reference, txHash } = report
  const key = { name, merchant, reference }
  if (decision.kind === 'paid_after_cancel') {
    const payment = order?.payment ?? (await recordedPayment(inbox, key))
    if (payment === undefined) await endUses(inbox, key, await claimedBy(inbox, key), [])
    return decision
  }
  if (decision.kind !== 'extra_payment' && decision.kind !== 'duplicate') return decision
  const { completedBy } = decision
  if (completedBy === undefined) return decision
  const all = await claimedBy(inbox, key)
  const linked = all.filter(({ payment }) => payment === completedBy)
  if (linked.length === all.length) return decision
  const [recorded] = await inbox.reports.list({ ...key, decision: 'paid', limit: 1 })
  const hashes = hashesOfPaid(recorded, completedBy)
  const isAccepted = order?.payment?.acceptedAmounts !== undefined || hashes.isAccepted
  // Another claim may be one of the accepted payments.
  if (isAccepted && recorded === undefined) return decision
  const paid = all.filter((one) => isPaidUse(one, hashes))
  if (!isAccepted && paid.length > linked.length) {
    await takeOver(inbox, key, { claimed: paid, completedBy })
  }
  const others = all.filter((one) => !paid.includes(one))
  const own = others.filter((one) => isOfReport(one, facts))
  if (paid.length > 0) {
    // Until the payment is recorded, other claims may be parts of it.
    await endUses(inbox, key, recorded === undefined ? own : others, keptHashes(paid, hashes))
    return decision
  }
  const traceId = canonicalTransactionHash(order?.payment?.traceId ?? '')
  const isSame = ({ credit }: Claimed): boolean =>
    credit.traceId === traceId || hashesOf(credit).includes(completedBy)
  if (isAccepted || own.length === 0 || !own.every(isSame)) return decision
  if (!(await takeOver(inbox, key, { claimed: own, completedBy }))) return decision
  if (recorded !== undefined) await endOtherUses(inbox, recorded)
  return { kind: 'duplicate', reference, txHash, completedBy }
}

/**
 * Ends the uses of other payments of an order, whose own one has been linked.
 * @param paid the report that has completed the order
 * @throws {RepositoryError} when the inbox fails.
 */
export async function endOtherUses(
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>,
  paid: Report,
): Promise<void> {
  const { name, merchant, reference, txHash } = paid
  const key = { name, merchant, reference }
  const hashes = hashesOfPaid(paid, txHash)
  const all = await claimedBy(inbox, key)
  const kept = all.filter((one) => isPaidUse(one, hashes))
  if (kept.length === 0) return
  const lost = all.filter((one) => !kept.includes(one))
  if (isShort(kept, lost, paid)) {
    await takeOver(inbox, key, { claimed: [...kept, ...lost], completedBy: txHash })
  } else await endUses(inbox, key, lost, keptHashes(kept, hashes))
}

/** Returns true when the order needs what a sum has claimed beside the payment: the sum uses a part of it only. */
function isShort(kept: readonly Claimed[], lost: readonly Claimed[], paid: Report): boolean {
  const payment = paymentOf(paid)
  const assets = new Set([...kept, ...lost].map(({ credit }) => credit.asset))
  if (payment.acceptedAmounts !== undefined || lost.length === 0 || assets.size > 1) return false
  const used = kept.reduce((sum, { rawAmount }) => sum + rawAmount, 0n)
  const needed = usedAmountOf(payment) ?? payment.rawAmount
  return used < needed && kept.some(({ rawAmount, credit }) => rawAmount < credit.rawAmount)
}

/** The transactions that a report has completed an order with. */
interface PaidHashes {
  /** Hashes of the uses; accepted payments have their own. */
  payments: ReadonlySet<string>
  /** The own transactions of the credits of a sum. */
  parts: ReadonlySet<string>
  isAccepted: boolean
}

function hashesOfPaid(paid: Report | undefined, completedBy: string): PaidHashes {
  const { accepted, parts = [] } = paid?.decision?.kind === 'paid' ? paid.decision : {}
  return {
    payments: new Set([completedBy, ...(accepted ?? []).map(({ txHash }) => txHash)]),
    parts: new Set(parts.map(({ txHash }) => txHash)),
    isAccepted: accepted !== undefined,
  }
}

/** An accepted payment may have several credits: one use has its hash. */
function isPaidUse({ payment, credit }: Claimed, hashes: PaidHashes): boolean {
  const { payments, parts, isAccepted } = hashes
  const isOfPayment = payment === undefined ? isAccepted : payments.has(payment)
  return isOfPayment || payments.has(credit.txHash) || parts.has(credit.txHash)
}

/**
 * Returns the credits that an order is completed with.
 * @param completedBy the hash of its payment
 * @throws {RepositoryError} when the inbox fails.
 */
export async function paidCredits(
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>,
  { name, merchant, reference }: NamedOrder,
  completedBy: string,
): Promise<StoredCredit[]> {
  const key = { name, merchant, reference }
  const [recorded] = await inbox.reports.list({ ...key, decision: 'paid', limit: 1 })
  const hashes = hashesOfPaid(recorded, completedBy)
  const all = await claimedBy(inbox, key)
  return all.filter((one) => isPaidUse(one, hashes)).map(({ credit }) => credit)
}

/** Returns the transactions that an order keeps its claims on. */
function keptHashes(paid: readonly Claimed[], { payments }: PaidHashes): string[] {
  return [...payments, ...paid.flatMap(({ credit }) => hashesOf(credit))]
}

/** Links the payment that has completed the order to claimed credits. Each credit of a payment has the link of its place. */
async function takeOver(
  { credits }: Pick<CheckedInbox, 'credits'>,
  key: NamedOrder,
  { claimed, completedBy }: { claimed: readonly Claimed[]; completedBy: string },
): Promise<boolean> {
  const isLinked = ({ payment }: Claimed): number => Number(payment === completedBy)
  const linkedFirst = claimed.toSorted((one, other) => isLinked(other) - isLinked(one))
  const claim = (ones: readonly Claimed[]): Promise<boolean> => {
    const payments = ones.map(({ credit }) => `${CREDIT_CLAIM}${credit.id}`)
    return credits.claim({ ...key, payments, payment: completedBy })
  }
  // Credits that are linked already keep their places: the first ones, or the last ones.
  return (await claim(linkedFirst)) || claim(linkedFirst.toReversed())
}

/**
 * Lets the parts of a payment take over the hash that has completed their order: another sum of the same parts may have claimed
 * them last.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function takeOverParts<O extends Order>(
  { inbox, joined }: Pick<Stores<O>, 'inbox' | 'joined'>,
  { report: { name, merchant, reference }, order }: LinkableReport,
): Promise<void> {
  const completedBy = order?.payment?.txHash
  if (joined !== undefined || completedBy === undefined) return
  const key = { name, merchant, reference }
  const all = await claimedBy(inbox, key)
  const last = all.find(({ credit }) => hashesOf(credit).includes(completedBy))
  const isLinked = all.some(({ payment }) => payment === completedBy)
  if (last === undefined || isLinked) return
  const claimed = all.filter(({ payment }) => payment === last.payment)
  await takeOver(inbox, key, { claimed, completedBy })
}

async function claimedBy(
  { credits }: Pick<CheckedInbox, 'credits'>,
  key: NamedOrder,
): Promise<Claimed[]> {
  return (await credits.listOf(key)).flatMap((credit) => {
    const use = credit.uses.find((one) => isUseOf(key, one))
    return use === undefined ? [] : [{ credit, payment: use.payment, rawAmount: use.rawAmount }]
  })
}

/** Returns true for a credit that a report names, or that the order has claimed for it. */
function isOfReport(
  { credit, payment }: Claimed,
  { report, transfer, order }: LinkableReport,
): boolean {
  const named = creditsOf(report)
  if (named.length > 0) return named.includes(credit.id)
  // Other parts of a sum may be parts of the payment.
  const hashes = namedHashes({ report, transfer, order })
  return payment === report.txHash && hashesOf(credit).some((hash) => hashes.includes(hash))
}

/**
 * Ends uses, and decides the reports again that have called their money too little: it is an extra payment now.
 * @param kept transactions that the order keeps its claims on
 */
async function endUses(
  { credits, reports }: Pick<CheckedInbox, 'reports' | 'credits'>,
  key: NamedOrder,
  lost: readonly Claimed[],
  kept: readonly string[],
): Promise<void> {
  for (const { credit, payment } of lost) {
    if (payment === undefined) continue
    const own = [payment, ...ownTransactions(credit, payerMessage(credit))]
    const payments = own.filter((hash) => !kept.includes(hash)).map(transactionClaim)
    await credits.release({ ...key, credit: credit.id, payment, payments })
  }
  if (lost.length === 0) return
  const txHashes = lost.map(({ credit }) => credit.txHash)
  const mismatches = await allReports(reports, { ...key, txHashes, decision: 'amount_mismatch' })
  const ended = lost.map(({ credit: { id } }) => id)
  const ids = mismatches
    .filter((one) => creditsOf(one).some((id) => ended.includes(id)))
    .map(({ id }) => id)
  if (ids.length > 0) await reports.redecide({ name: key.name, ids })
}
