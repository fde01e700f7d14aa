import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox.js'
import type { Decision, DecisionKind, DecisionOf } from '../orders/decision.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalAddress } from '../../shared/address.js'
import type { Clock } from '../../shared/clock.js'
import { isOfOnePayment, isSameMoney, unlessInvalid, type ReadReport } from './compare-reports.js'
import { DECISIONS, type KindWith } from './decision-table.js'
import { REPORTS_OF_TRANSACTION } from './paid-elsewhere.js'

/** A decision about money that fits no order. */
type BadNews = DecisionOf<KindWith<'money', 'held' | 'unassigned'>>

/** After this time without the payment on the chain, an operator has to check the report. */
const LONGEST_WAIT_MS = 86_400_000

/** The store, and what this process knows about the chain. */
export interface TellOptions {
  inbox: CheckedInbox
  clock: Clock
  wallets?: readonly string[] | undefined
  /** Returns true while a watcher reads the wallets. */
  isWatched: () => boolean
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
 * Returns the decision with which bad news is reported once, whichever sources report the payment. Where a watcher reads the
 * wallet, it tells, and a webhook waits for it. Otherwise the second source repeats the first. Other decisions are returned
 * unchanged.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function tellOnce(
  options: TellOptions,
  decision: Decision,
  told: ReadReport,
): Promise<Decision> {
  const { source } = told.report
  if (!isBadNews(decision) || source === 'operator') return decision
  const others = await reportsOfPayment(options.inbox, decision, told)
  return source === 'chain'
    ? unlessToldByWebhook(decision, { told, others })
    : unlessToldByChain(options, decision, { told, others })
}

interface Compared {
  told: ReadReport
  others: readonly ReadReport[]
}

/** A webhook that has told the payment before the chain has shown it. Each repeats for one credit. */
function unlessToldByWebhook(decision: BadNews, { told, others }: Compared): Decision {
  const same = others.filter((other) => isSameMoney(told.transfer, other.transfer))
  const former = same.filter(({ report }) => report.source !== 'chain' && hasTold(report))
  const repeated = same.filter(({ report }) => report.source === 'chain' && isRepetition(report))
  const first = former[repeated.length]?.report.decision?.kind
  return first === undefined ? decision : duplicateOf(told.report, first)
}

/** A webhook says nothing about money that the chain has shown, or will show. */
function unlessToldByChain(
  options: TellOptions,
  decision: BadNews,
  { told: { report, transfer }, others }: Compared,
): Decision {
  const shown = others.find((one) => one.report.source === 'chain' && one.report.decision)?.report
  // A report of an unknown order waits for it, even when its money was reported.
  if (decision.kind === 'unknown_order') {
    const isTold = shown !== undefined || wasToldByChain(report)
    return isTold ? { ...decision, toldByChain: true } : decision
  }
  if (shown?.decision) return duplicateOf(report, shown.decision.kind)
  const isWaiting =
    wasToldByChain(report) || (!hasToldOfOrder(report) && willBeShown(options, transfer))
  return isWaiting ? { ...decision, toldByChain: true } : decision
}

/** Returns true when handlers have run for a decision about the order, which is then not silenced. */
function hasToldOfOrder({ decision }: Report): boolean {
  return decision !== undefined && isBadNews(decision) && decision.kind !== 'unknown_order'
}

function wasToldByChain({ decision }: Report): boolean {
  return decision !== undefined && isToldByChain(decision)
}

/** The watcher reads the wallets of the options at all times, others only while an order is open. */
function willBeShown({ wallets = [], isWatched }: TellOptions, transfer: TransferData): boolean {
  if (!isWatched()) return false
  const wallet = unlessInvalid(() => canonicalAddress(transfer.recipientAddr))
  return wallet !== undefined && wallets.includes(wallet)
}

function hasTold({ decision }: Report): boolean {
  return decision !== undefined && isBadNews(decision) && decision.toldByChain !== true
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
  { report, transfer }: ReadReport,
): Promise<ReadReport[]> {
  const { name, merchant, reference, id } = report
  const query = { name, limit: REPORTS_OF_TRANSACTION }
  const reports =
    kind === 'unknown_order'
      ? await inbox.reports.list({ ...query, rawAmounts: [transfer.rawAmount] })
      : await inbox.reports.list({ ...query, merchant, reference })
  return reports
    .filter((one) => one.id !== id && one.merchant === merchant)
    .filter((one) => one.state !== 'unreadable' && one.source !== 'operator')
    .map((one) => ({ report: one, transfer: readStoredTransfer(one.rawBody) }))
    .filter((one) => isOfOnePayment(one, { report, transfer }))
}
