import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { StoredCredit } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { Decision, DecisionKind } from '../orders/decision.js'
import { readStoredTransfer } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { canonicalAddress } from '../../shared/address.js'
import {
  creditForOrder,
  decidedCredit,
  duplicateOf,
  hasTold,
  hasToldOfOrder,
  isBadNews,
  isRepetition,
  isToldByChain,
  wasToldByChain,
  type BadNews,
  type ToldReport,
} from './bad-news.js'
import {
  isOfOnePayment,
  isSameAsset,
  isSameMoney,
  unlessInvalid,
  type ReadReport,
} from './compare-reports.js'
import { paidCredits } from './end-lost-uses.js'
import { linkReport } from './link-report.js'
import { creditsOf, isTrusted } from './report.js'
import {
  isJetton,
  isShownByProof,
  isToldForCredit,
  lookUpJetton,
  willBeShown,
  type TellParts,
} from './shown-money.js'
import { tellUnknown } from './tell-unknown.js'

/** The watcher reports a credit without an order after a minute. */
const MERCHANT_WAIT_MS = 300_000
/** More reports of bad news than an order has; of those with one amount, the newest. */
const MAX_REPORTS = 100
const HASH = /^[0-9a-f]{64}$/

/**
 * Returns the decision with which bad news is reported once, whichever transactions the sources name. Where a watcher reads
 * the wallet, or a proof finds the money, the decision is about a credit, which is reported once; a webhook waits until the
 * chain has shown it, but without an order only for an hour. Otherwise a second source repeats the first: a shop without a
 * chain client has no credits, only the hashes that its webhooks name. What an operator assigns to the order that it was reported
 * for repeats that. Other decisions are returned unchanged.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function tellOnce(
  engine: TellParts,
  decision: Decision,
  told: ToldReport,
): Promise<Decision> {
  const { source } = told.report
  if (!isBadNews(decision)) return decision
  if (source === 'operator') return unlessToldOfOrder(engine.stores.inbox, decision, told)
  if (source !== 'chain' && decision.kind === 'unknown_order') {
    return tellUnknown(engine, decision, told)
  }
  const others = await reportsOfPayment(engine.stores.inbox, decision, told)
  if (source === 'chain') return ofCredit(unlessToldByWebhook(decision, { told, others }), told)
  const compared = await unlessToldByChain(engine, decision, { told, others })
  // The watcher may report the credit of a merchant's webhook without an order, or for another one.
  const isLeft = engine.runtime.isWatched() && !isTrusted(told.report)
  return isToldByChain(compared) && (isLeft || !isShownByProof(engine, told.transfer))
    ? ofKnownCredit(engine, decision, { told, waiting: compared })
    : compared
}

/** An operator may assign credits to the order that they name, whose handlers have run for them. */
async function unlessToldOfOrder(
  inbox: CheckedInbox,
  decision: BadNews,
  { report }: ReadReport,
): Promise<Decision> {
  const ids = creditsOf(report)
  if (ids.length === 0) return decision
  const { name, merchant, reference } = report
  const { kind } = decision
  const query = { name, merchant, reference, decision: kind, limit: MAX_REPORTS }
  const told = (await inbox.reports.list(query)).flatMap(({ decision: former }) =>
    former !== undefined && isBadNews(former) && former.toldByChain !== true ? former.credit : [],
  )
  return ids.every((id) => told.includes(id)) ? duplicateOf(report, kind) : decision
}

/** Money in a wallet that is not ours has no credit: its handlers run once for its trace, whichever transactions are named. */
export function ofTrace(decision: Decision, { report, transfer }: ReadReport): Decision {
  const trace = canonicalTransactionHash(transfer.traceId)
  const isOnce = decision.kind === 'wallet_mismatch' && report.source !== 'operator'
  if (!isOnce || !HASH.test(trace)) return decision
  const wallet = unlessInvalid(() => canonicalAddress(transfer.recipientAddr)) ?? ''
  return { ...decision, credit: creditForOrder(report, `${trace} ${wallet}`) }
}

/** The decision about a report whose credit was decided for another one. One that waits for its order continues to wait. */
export function toldByOther(report: Report, { kind }: Decision, toldAs: DecisionKind): Decision {
  if (kind !== 'unknown_order' || report.reference === '') return duplicateOf(report, toldAs)
  const { reference, txHash } = report
  return { kind, reference, txHash, toldByChain: true }
}

function ofCredit(decision: Decision, { report }: ReadReport): Decision {
  const [credit] = creditsOf(report)
  return isBadNews(decision) && credit !== undefined ? { ...decision, credit } : decision
}

interface Compared {
  told: ToldReport
  others: readonly ReadReport[]
}

/** A webhook that has told the payment before a watcher read the wallet. Each repeats for one credit. */
function unlessToldByWebhook(decision: BadNews, { told, others }: Compared): Decision {
  const same = others.filter((other) => isSameMoney(told.transfer, other.transfer))
  const former = same.filter(({ report }) => report.source !== 'chain' && hasTold(report, decision))
  const repeated = same.filter(({ report }) => report.source === 'chain' && isRepetition(report))
  const first = former[repeated.length]?.report.decision?.kind
  return first === undefined ? decision : duplicateOf(told.report, first)
}

/** A webhook says nothing about money that the chain has shown, or will show. One trace can bring money in several assets. */
async function unlessToldByChain(
  engine: TellParts,
  decision: BadNews,
  { told, others }: Compared,
): Promise<Decision> {
  const { report, transfer } = told
  const ofAsset = others.filter(
    (one) =>
      one.report.source === 'chain' && one.report.decision && isSameAsset(one.transfer, transfer),
  )
  const shown = await describedBy(engine.stores.inbox, decision, { told, others: ofAsset })
  // One that repeats a webhook may repeat this one: the decision of the credit has one report.
  if (shown?.decision && isRepetition(shown)) {
    const [credit] = creditsOf(shown)
    const paid = await paidWith(engine.stores.inbox, decision, report)
    // A part of a sum that has reached the price since.
    if (paid?.some(({ id }) => id === credit)) return duplicateOf(report, 'paid')
    return { ...decision, credit: toldCredit(report, credit, others) }
  }
  if (shown?.decision) return duplicateOf(report, shown.decision.kind)
  const { shown: proven } = told
  if (proven?.hasPaid === true) return duplicateOf(report, 'paid')
  if (proven !== undefined) return { ...decision, credit: proven.credit }
  const isWaiting = wasToldByChain(report) || (!hasToldOfOrder(report) && willBeShown(engine, told))
  return isWaiting
    ? { ...decision, toldByChain: true }
    : { ...decision, credit: hasToldOfOrder(report) ? decidedCredit(report) : undefined }
}

/** Returns the credit by the name that the decision of another webhook has for it. */
function toldCredit(
  report: Report,
  credit: string | undefined,
  others: readonly ReadReport[],
): string | undefined {
  const ofOrder = creditForOrder(report, credit ?? '')
  const isOfOrder = others.some((one) => decidedCredit(one.report) === ofOrder)
  return isOfOrder ? ofOrder : credit
}

/** Returns the report of the chain about the money of a webhook, or any one while no stored credit is that money. */
async function describedBy(
  inbox: CheckedInbox,
  decision: BadNews,
  { told: { report, transfer }, others }: Compared,
): Promise<Report | undefined> {
  const [first] = others
  if (first === undefined) return undefined
  const linked = await linkReport(inbox, { report, transfer, order: null, news: newsOf(decision) })
  const credit = linked.kind === 'linked' ? linked.credit : undefined
  if (credit === undefined) return first.report
  return others.find((one) => creditsOf(one.report).includes(credit))?.report
}

/**
 * Returns the decision about a webhook by the credit that it describes, where no report of the chain names the order: money that
 * names no order, or a jetton that no open order asks for. What an order has used is its payment, whichever transaction is named.
 */
async function ofKnownCredit(
  engine: TellParts,
  decision: BadNews,
  { told, waiting }: { told: ToldReport; waiting: Decision },
): Promise<Decision> {
  const { report, transfer } = told
  const { inbox } = engine.stores
  if (report.attempts === 0) return waiting
  const facts = { report, transfer, order: null }
  // Before the link, which then knows the use of this credit.
  const paid = await paidWith(inbox, decision, report)
  const linked = await linkReport(inbox, { ...facts, news: newsOf(decision) })
  // Until the payment of the order is linked, this may be it.
  const mayBePaid = paid?.length === 0 && !isOfOtherTrace(told)
  if (mayBePaid && linked.kind !== 'unknown') return waiting
  if (linked.kind === 'used' && paid !== undefined) {
    const own = await linkReport(inbox, { ...facts, news: 'other' })
    const isPaid = own.kind === 'linked' && paid.some(({ id }) => id === own.credit)
    return isPaid ? duplicateOf(report, 'paid') : waiting
  }
  const { credit } = linked.kind === 'linked' ? linked : { credit: undefined }
  if (linked.kind !== 'linked' || credit === undefined) {
    if (linked.kind !== 'used' && isJetton(transfer)) lookUpJetton(engine, told)
    return waiting
  }
  if (linked.claims.length > 0) return { ...decision, credit }
  // The watcher may report the credit without an order, and the webhook of a merchant must not do so, too.
  const waitedMs = engine.runtime.clock.nowMs() - report.receivedAtMs
  if (waitedMs < MERCHANT_WAIT_MS || (await isToldForCredit(inbox, told))) {
    return waiting
  }
  return { ...decision, credit: creditForOrder(report, credit) }
}

/** Returns true for a report that names another trace than the payment of its order. */
function isOfOtherTrace({ transfer, order }: ToldReport): boolean {
  const traces = [transfer.traceId, order?.payment?.traceId ?? ''].map(canonicalTransactionHash)
  return traces.every((trace) => HASH.test(trace)) && new Set(traces).size > 1
}

/** Returns the credits that the order of an extra payment is completed with; `undefined` for other news. */
async function paidWith(
  inbox: CheckedInbox,
  decision: BadNews,
  report: Report,
): Promise<StoredCredit[] | undefined> {
  const completedBy = completedByOf(decision)
  return completedBy === undefined ? undefined : paidCredits(inbox, report, completedBy)
}

function newsOf(decision: BadNews): 'extra' | 'other' {
  return completedByOf(decision) === undefined ? 'other' : 'extra'
}

function completedByOf(decision: BadNews): string | undefined {
  return decision.kind === 'extra_payment' ? decision.completedBy : undefined
}

/** Returns the other reports of a payment that name the same order, or none. */
async function reportsOfPayment(
  inbox: CheckedInbox,
  { kind }: BadNews,
  { report, transfer, shown }: ToldReport,
): Promise<ReadReport[]> {
  const { name, merchant, reference, id } = report
  const query = { name, limit: MAX_REPORTS }
  const reports =
    kind === 'unknown_order'
      ? await inbox.reports.list({ ...query, rawAmounts: [transfer.rawAmount] })
      : await inbox.reports.list({ ...query, merchant, reference })
  const credit = shown?.credit ?? shownFor(report)
  return reports
    .filter((one) => one.id !== id && one.merchant === merchant)
    .filter((one) => one.state !== 'unreadable' && one.source !== 'operator')
    .map((one) => ({ report: one, transfer: readStoredTransfer(one.rawBody) }))
    .filter(
      (one) =>
        isOfOnePayment(one, { report, transfer }) ||
        (credit !== undefined && shownFor(one.report) === credit),
    )
}

/** Returns the credit of a report by the name of {@link creditForOrder}. A webhook may name a transaction behind the credit. */
function shownFor(report: Report): string | undefined {
  const [credit] = report.source === 'chain' ? creditsOf(report) : []
  return credit === undefined ? decidedCredit(report) : creditForOrder(report, credit)
}
