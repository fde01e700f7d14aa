import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { Decision, DecisionKind, DecisionOf } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { canonicalAddress } from '../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import {
  isOfOnePayment,
  isSameAsset,
  isSameMoney,
  unlessInvalid,
  type ReadReport,
} from './compare-reports.js'
import { DECISIONS, type KindWith } from './decision-table.js'
import type { EngineParts } from './engine-parts.js'
import { linkReport, namedHashes } from './link-report.js'
import { REPORTS_OF_TRANSACTION } from './paid-elsewhere.js'
import { creditsOf } from './report.js'

/** A decision about money that fits no order. Several reports may name it, and it is reported for one of them. */
type BadNews = DecisionOf<KindWith<'money', 'held' | 'unassigned'>>

/** After this time without the payment on the chain, an operator has to check the report. */
export const LONGEST_WAIT_MS = 86_400_000
/** Without an order the webhook is reported after this time: small money is not shown by the watcher of another process. */
const UNKNOWN_WAIT_MS = 3_600_000
/** The watcher reports a credit without an order after a minute. */
const MERCHANT_WAIT_MS = 300_000
const FOR_ORDER = 'order:'
const HASH = /^[0-9a-f]{64}$/
/** The watcher usually finds the money before this look at a report. */
const FIRST_LOOK_UP = 3

/** A report with its transfer and its order. */
interface ToldReport extends ReadReport {
  order?: Order | null | undefined
  /** Absent while the proof has not shown it. */
  shown?: ShownCredit | undefined
}

/** The money of a report as the proof has shown it. */
export interface ShownCredit {
  /** The id of the credit, if it is known. */
  credit: string | undefined
  /** The same money has paid the order. */
  hasPaid?: boolean | undefined
}

/** The store, and what this process knows about the chain. */
type TellParts = Pick<EngineParts<Order>, 'runtime'> & {
  stores: { inbox: CheckedInbox }
  policy: { wallets?: readonly string[] | undefined; proof: object | undefined }
}

/** Returns true for a decision that waits until the chain shows its money, or whose money the chain has reported. */
export function isToldByChain(decision: Decision): boolean {
  return isBadNews(decision) && decision.toldByChain === true
}

/** Returns true while a report waits for its payment on the chain. */
export function waitsForChain(
  { receivedAtMs }: Report,
  { decision, nowMs }: { decision: Decision; nowMs: number },
): boolean {
  return isToldByChain(decision) && nowMs - receivedAtMs < LONGEST_WAIT_MS
}

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
  const compared = unlessToldByChain(engine, decision, { told, others })
  return isToldByChain(compared) &&
    isJetton(told.transfer) &&
    !isShownByProof(engine, told.transfer)
    ? ofSkippedJetton(engine, decision, { told, waiting: compared })
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
  const query = { name, merchant, reference, decision: kind, limit: REPORTS_OF_TRANSACTION }
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

/** A report of an unknown order waits for it, even when its money was reported. */
async function tellUnknown(
  engine: TellParts,
  decision: DecisionOf<'unknown_order'>,
  { report, transfer, shown: proven }: ToldReport,
): Promise<Decision> {
  const { inbox } = engine.stores
  const { clock, lookUp } = engine.runtime
  const { decision: former, receivedAtMs } = report
  if (former?.kind === 'unknown_order' && former.toldByChain !== true) {
    return { ...decision, credit: former.credit }
  }
  // Money that was not sent never arrives.
  if (transfer.status !== 'success') return decision
  const linked = await linkReport(inbox, { report, transfer, order: null })
  const [credit] = linked.kind === 'linked' ? creditsOf({ payments: linked.claims }) : []
  if (credit !== undefined) return { ...decision, credit }
  if (!wasToldByChain(report) && !willBeShown(engine, { report, transfer })) return decision
  const waiting = { ...decision, toldByChain: true } as const
  if (linked.kind === 'used') return waiting
  if (proven !== undefined) return { ...decision, credit: proven.credit }
  const waitedMs = clock.nowMs() - receivedAtMs
  if (waitedMs >= UNKNOWN_WAIT_MS) {
    if (await isToldForCredit(inbox, { report, transfer })) return waiting
    const shown = linked.kind === 'linked' ? linked.credit : undefined
    return shown === undefined ? decision : { ...decision, credit: creditForOrder(report, shown) }
  }
  // Only other money is known, or the webhook of a merchant may take none.
  if (linked.kind === 'linked') return waiting
  // The watcher ignores small transfers and other jettons that name no order.
  if (isJetton(transfer)) lookUpJetton(engine, { report, transfer })
  else if (report.attempts >= FIRST_LOOK_UP) lookUp(report.txHash)
  return waiting
}

/** The watcher of another process may store the credit in the meantime. */
function lookUpJetton({ runtime: { lookUp } }: TellParts, { report, transfer }: ReadReport): void {
  if (report.attempts > 0) lookUp(report.txHash, canonicalAsset(transfer.asset))
}

/** Returns true when the chain has reported the money without an order, whichever merchant the webhook belongs to. */
async function isToldForCredit(
  inbox: CheckedInbox,
  { report, transfer }: ReadReport,
): Promise<boolean> {
  const credits = await inbox.credits.find({
    hashes: namedHashes({ report, transfer, order: null }),
  })
  const txHashes = [...new Set(credits.map(({ txHash }) => txHash))]
  if (txHashes.length === 0) return false
  const { name } = report
  const query = {
    name,
    txHashes,
    decision: 'unknown_order',
    limit: REPORTS_OF_TRANSACTION,
  } as const
  return (await inbox.reports.list(query)).some(
    ({ source, rawBody }) =>
      source === 'chain' && isSameMoney(readStoredTransfer(rawBody), transfer),
  )
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
function unlessToldByChain(
  engine: TellParts,
  decision: BadNews,
  { told, others }: Compared,
): Decision {
  const { report, transfer } = told
  const shown = others.find(
    (one) =>
      one.report.source === 'chain' && one.report.decision && isSameAsset(one.transfer, transfer),
  )?.report
  if (shown?.decision) return duplicateOf(report, shown.decision.kind)
  const { shown: proven } = told
  if (proven?.hasPaid === true) return duplicateOf(report, 'paid')
  if (proven !== undefined) return { ...decision, credit: proven.credit }
  const isWaiting = wasToldByChain(report) || (!hasToldOfOrder(report) && willBeShown(engine, told))
  return isWaiting
    ? { ...decision, toldByChain: true }
    : { ...decision, credit: toldCredit(report) }
}

/** Returns the credit that a report has told, which is then told with the same keys. */
function toldCredit({ decision }: Report): string | undefined {
  const isOfCredit = decision && isBadNews(decision) && decision.kind !== 'unknown_order'
  return isOfCredit ? decision.credit : undefined
}

/** In a jetton that no open order asks for, the watcher reports only credits that name an order. The webhook reports others. */
async function ofSkippedJetton(
  engine: TellParts,
  decision: BadNews,
  { told, waiting }: { told: ToldReport; waiting: Decision },
): Promise<Decision> {
  const { report, transfer } = told
  if (report.attempts === 0) return waiting
  const linked = await linkReport(engine.stores.inbox, { report, transfer, order: null })
  const { credit } = linked.kind === 'linked' ? linked : { credit: undefined }
  if (linked.kind !== 'linked' || credit === undefined) {
    if (linked.kind !== 'used') lookUpJetton(engine, told)
    return waiting
  }
  if (linked.claims.length > 0) return { ...decision, credit }
  // The watcher may report the credit without an order, and the webhook of a merchant must not do so, too.
  const waitedMs = engine.runtime.clock.nowMs() - report.receivedAtMs
  if (waitedMs < MERCHANT_WAIT_MS || (await isToldForCredit(engine.stores.inbox, told))) {
    return waiting
  }
  return { ...decision, credit: creditForOrder(report, credit) }
}

/** Returns true when handlers have run for a decision about the order, which is then not silenced. */
function hasToldOfOrder({ decision }: Report): boolean {
  return decision !== undefined && isBadNews(decision) && decision.kind !== 'unknown_order'
}

function wasToldByChain({ decision }: Report): boolean {
  return decision !== undefined && isToldByChain(decision)
}

/** The watcher reads the wallets of the options at all times, others only while an order is open. */
function willBeShown(engine: TellParts, { transfer, order }: ToldReport): boolean {
  const { wallets = [] } = engine.policy
  const wallet = unlessInvalid(() => canonicalAddress(transfer.recipientAddr))
  if (wallet === undefined) return false
  if (engine.runtime.isWatched()) return wallets.includes(wallet)
  const isOfOrder =
    typeof order?.recipient === 'string' && canonicalAddress(order.recipient) === wallet
  return isShownByProof(engine, transfer) && (isOfOrder || wallets.includes(wallet))
}

/** The proof finds what no watcher does: it proves the jetton that a webhook names. */
export function isShownByProof({ policy, runtime }: TellParts, transfer: TransferData): boolean {
  return policy.proof !== undefined && (!runtime.isWatched() || isJetton(transfer))
}

function isJetton({ asset }: TransferData): boolean {
  const canonical = unlessInvalid(() => canonicalAsset(asset))
  return canonical !== undefined && canonical !== NATIVE_ASSET
}

/** Returns true for a report that has told the same news about no known credit. */
function hasTold({ decision }: Report, { kind }: BadNews): boolean {
  if (decision === undefined || !isBadNews(decision)) return false
  const isSame = (decision.kind === 'unknown_order') === (kind === 'unknown_order')
  const { credit } = decision
  const isKnown = credit !== undefined && !credit.startsWith(FOR_ORDER)
  return isSame && decision.toldByChain !== true && !isKnown
}

/** Returns the id of a credit for the events of one order. Events of other orders about the credit run too. */
export function creditForOrder({ merchant, reference }: Report, credit: string): string {
  return `${FOR_ORDER}${JSON.stringify([merchant, reference, credit])}`
}

function isRepetition({ decision }: Report): boolean {
  return (
    decision?.kind === 'duplicate' &&
    decision.first !== undefined &&
    DECISIONS[decision.first].money !== undefined
  )
}

/** Returns true for a decision about money that fits no order. */
export function isBadNews(decision: Decision): decision is BadNews {
  return DECISIONS[decision.kind].money !== undefined
}

function duplicateOf({ reference, txHash }: Report, first: DecisionKind): Decision {
  return { kind: 'duplicate', reference, txHash, first }
}

/** Returns the other reports of a payment that name the same order, or none. */
async function reportsOfPayment(
  inbox: CheckedInbox,
  { kind }: BadNews,
  { report, transfer, shown }: ToldReport,
): Promise<ReadReport[]> {
  const { name, merchant, reference, id } = report
  const query = { name, limit: REPORTS_OF_TRANSACTION }
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
  if (credit !== undefined) return creditForOrder(report, credit)
  const { decision } = report
  return decision !== undefined && isBadNews(decision) ? decision.credit : undefined
}
