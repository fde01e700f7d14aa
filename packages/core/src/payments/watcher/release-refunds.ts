import { allReports } from '../inbox/all-reports.js'
import { checkedInbox, type CheckedInbox } from '../inbox/checked-inbox.js'
import { CREDIT_CLAIM, type StoredCredit } from '../inbox/inbox-credits.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { ClaimLateRefunds } from '../engine/late-refunds.js'
import {
  isOver,
  isRefund,
  refundOwner,
  releaseCredits,
  refundUses,
  type RefundReport,
} from '../engine/proposed-refunds.js'
import { hashesOf } from '../ledger/credit.js'
import { sentRefunds } from '../ledger/named-refund.js'
import {
  findRefund,
  refundedMoney,
  refundMessage,
  type RefundReader,
} from '../ledger/refund-message.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import type { Logger } from '../../shared/logger.js'
import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { Run } from './run-state.js'

/** Proposals in one response of the store; few are open at a time. */
const PROPOSALS = 100
/** Proposals that are looked at in one run. */
const MAX_LOOKS = 5
const PAGE_SIZE = 100
/** Pages that are read in one run; a proposal from before that many transactions is left to the operator. */
const MAX_PAGES = 20
/** The clock of the database, which dates a claim, may differ by this much from that of the chain. */
const CLOCK_SECONDS = 3600
/** Blocks after the end of a proposal that the index must have: servers of the index differ, and one may be far behind. */
const INDEX_SECONDS = 3600
/** A wallet that ignores the end of a request may send it for so long. */
const LATE_SECONDS = 30 * 86_400

/** A proposed refund that its wallet can no longer send, and the money that it claimed. */
interface Proposal {
  report: RefundReport
  /** The first credit of the payment, which identifies the refund. */
  credit: StoredCredit
  /** The credits that the refund has claimed and not released. A payment can arrive as several. */
  claimed: readonly StoredCredit[]
  /** The unused credits of the same trace that refunds have released. */
  released: readonly StoredCredit[]
  /** When it claimed them, Unix seconds; `undefined` when it has no claim. */
  since: number | undefined
}

/** The store, and the client that finds sent refunds. */
interface LateRefundSource {
  inbox: CheckedInbox
  v3: RefundReader
  logger: Logger
  request?: RequestOptions | undefined
}

/** Pages of wallets that a run may still read. */
interface PageBudget {
  left: number
}

/**
 * Releases the money of refunds that were proposed and not sent, so that it counts for its order again. The wallet's own
 * chain of transactions decides: from before the proposal to after its end it must be known without a gap, and no transfer of
 * it may name the payment. Time alone releases nothing. A refund that is sent after all has its money again, unless an
 * order has it.
 * @throws what API v3 and the inbox throw.
 */
export async function releaseRefunds(run: Run): Promise<void> {
  const { endedRefunds, lookedRefunds } = run.memory
  const inbox = checkedInbox(run.payments.internals.inbox)
  const looked = [...lookedRefunds]
  const open = await listRefunds(run, inbox)
  const over = open.filter(({ decision }) => isOver(decision, run.head - INDEX_SECONDS))
  const proposals = (await readProposals(inbox, over)).toSorted(
    (one, other) => looked.indexOf(one.report.id) - looked.indexOf(other.report.id),
  )
  const pages: PageBudget = { left: MAX_PAGES }
  let looks = 0
  for (const proposal of proposals) {
    const { id } = proposal.report
    const isUsed = proposal.since === undefined && hasOtherUse(proposal)
    if (!isUsed && ++looks > MAX_LOOKS) return
    lookedRefunds.delete(id)
    lookedRefunds.add(id)
    const isDone = isUsed || (await isEnded(run, inbox, { proposal, pages }))
    if (isDone) endedRefunds.add(id)
    // One that had too few pages is the first one in the next run.
    if (isDone || pages.left === 0) lookedRefunds.delete(id)
    if (pages.left === 0) return
  }
}

/** Releases a refund that was not sent, or claims the money of a released one that was. @returns true when nothing can follow */
async function isEnded(
  run: Run,
  inbox: CheckedInbox,
  { proposal, pages }: { proposal: Proposal; pages: PageBudget },
): Promise<boolean> {
  const { releasedRefunds } = run.memory
  const { id, decision } = proposal.report
  const { since } = proposal
  const found = await findSent(run, proposal)
  if (since === undefined && found !== undefined) return claimAgain({ ...run, inbox }, proposal)
  if (found !== undefined) return found.state === 'refunded'
  if (since !== undefined) {
    const isSent = await wasSent(run, proposal, { since, pages })
    if (isSent !== false) return isSent === true
  }
  // Another process may not have finished a release.
  if (!releasedRefunds.has(id)) await release(run, inbox, proposal)
  releasedRefunds.add(id)
  return run.head > decision.validUntil + LATE_SECONDS
}

/**
 * Returns a function that claims the money of released refunds again that were sent after their end, before an order is
 * completed with it.
 */
export function createLateRefunds(source: LateRefundSource): ClaimLateRefunds {
  const { inbox } = source
  return async (released) => {
    const traces = released.map(({ traceId }) => traceId).filter(Boolean)
    // The first credit of its trace names the refund.
    const ofTraces = traces.length === 0 ? [] : await inbox.credits.find({ hashes: traces })
    const txHashes = [...new Set([...released, ...ofTraces].map(({ txHash }) => txHash))]
    const reports = await allReports(inbox.reports, { txHashes, decision: 'refund' })
    for (const proposal of await readProposals(inbox, reports.filter(isRefund))) {
      if (proposal.since !== undefined || hasOtherUse(proposal)) continue
      if ((await findSent(source, proposal)) !== undefined) await claimAgain(source, proposal)
    }
  }
}

/** Returns the newest proposed refunds, and in turn some of the older ones, except those that can no longer change. */
async function listRefunds(
  { payments: { name }, memory }: Run,
  { reports }: CheckedInbox,
): Promise<RefundReport[]> {
  const query = { name, decision: 'refund', limit: PROPOSALS } as const
  const newest = await reports.list(query)
  const before = memory.olderRefunds ?? newest.at(-1)?.id
  const older = newest.length < PROPOSALS ? [] : await reports.list({ ...query, before })
  memory.olderRefunds = older.length < PROPOSALS ? undefined : older.at(-1)?.id
  return [...newest, ...older].filter(isRefund).filter(({ id }) => !memory.endedRefunds.has(id))
}

/** Reads the money of proposed refunds. */
async function readProposals(
  { credits }: CheckedInbox,
  refunds: readonly RefundReport[],
): Promise<Proposal[]> {
  if (refunds.length === 0) return []
  const hashes = [...new Set(refunds.map(({ decision }) => decision.txHash))]
  const traceIds = (await credits.find({ hashes })).map(({ traceId }) => traceId)
  const stored = await credits.find({ hashes: [...hashes, ...traceIds.filter(Boolean)] })
  return refunds.flatMap((report) => toProposal(report, stored) ?? [])
}

function toProposal(report: RefundReport, stored: readonly StoredCredit[]): Proposal | undefined {
  const { txHash, asset, attempt } = report.decision
  const credit = stored.find((one) => one.txHash === txHash && one.asset === asset)
  if (credit === undefined) return undefined
  const { reference } = refundOwner(report, { credit: credit.id, attempt })
  const own = stored.flatMap((one) => {
    const use = refundUses(one, report).find((standing) => standing.reference === reference)
    return use === undefined ? [] : { one, use }
  })
  const times = own.map(({ use }) => Math.floor(use.usedAtMs / 1000))
  const since = times.length === 0 ? undefined : Math.min(...times)
  const released = stored.filter(
    (one) =>
      one.traceId === credit.traceId &&
      one.wallet === credit.wallet &&
      one.asset === asset &&
      one.releasedRefunds !== undefined &&
      one.uses.length === 0,
  )
  return { report, credit, claimed: own.map(({ one }) => one), released, since }
}

/** Returns true for money that no refund has released, or that was used after a release. */
function hasOtherUse({ credit: { uses, releasedRefunds } }: Proposal): boolean {
  return uses.length > 0 || releasedRefunds === undefined
}

/**
 * Returns true when the wallet has sent a transfer that names the payment since a time, whether it arrived or not, and when
 * it has sent too many to tell.
 * @returns `undefined` when the index does not return each transaction since then, or when other walks have used the pages.
 */
async function wasSent(
  { v3, request, head }: Run,
  { credit: { wallet, txHash } }: Proposal,
  { since, pages }: { since: number; pages: PageBudget },
): Promise<boolean | undefined> {
  const bounds = { account: [wallet], end_utime: head, sort: 'desc' } as const
  const read = v3.transactions.paginate(bounds, { pageSize: PAGE_SIZE, ...request }).pages()
  const isFirst = pages.left === MAX_PAGES
  let expected: string | undefined
  for await (const rows of read) {
    pages.left--
    for (const row of rows) {
      const isGap = expected !== undefined && canonicalTransactionHash(row.hash) !== expected
      const sent = isGap ? undefined : sentRefunds(row)
      if (sent === undefined) return undefined
      if (sent.some((refund) => refund.txHash === txHash)) return true
      if (row.now < since - CLOCK_SECONDS || row.prev_trans_lt === 0n) return false
      expected = canonicalTransactionHash(row.prev_trans_hash ?? '')
    }
    // A walk that has had all pages is left to the operator; another one waits for the next run.
    if (pages.left === 0) return isFirst ? true : undefined
  }
  return undefined
}

/** Finds the transfer of a refund by one or two requests. */
async function findSent(
  { v3, request }: Pick<LateRefundSource, 'v3' | 'request'>,
  { report: { decision }, credit }: Proposal,
) {
  const money = refundedMoney(decision, credit)
  // The body is the same on every network.
  const { bodyHash } = await refundMessage(money, { isTestOnly: false })
  return findRefund(v3, { wallet: money.wallet, bodyHash }, request)
}

/** Claims the money of a released refund again. @returns false when an order has it, or another refund */
async function claimAgain(
  { inbox, logger }: LateRefundSource,
  { report, credit, released }: Proposal,
): Promise<boolean> {
  const { rawAmount, txHash, reference } = report.decision
  const isAlone = credit.rawAmount === BigInt(rawAmount)
  const credits = isAlone ? [credit] : [credit, ...released.filter(({ id }) => id !== credit.id)]
  const attempt = 1 + Math.max(...credits.map(({ releasedRefunds = 0 }) => releasedRefunds))
  const owner = refundOwner(report, { credit: credit.id, attempt })
  const payments = credits.map(({ id }) => `${CREDIT_CLAIM}${id}`)
  const isClaimed = await inbox.credits.claim({ kind: 'refund', ...owner, payments })
  if (isClaimed) {
    logger.warn('a refund was sent after the end of its request; its payment no longer counts', {
      transaction: txHash,
      reference,
    })
  }
  return isClaimed
}

/** Releases a refund, and has the payment decided again for its order. */
async function release(
  { payments }: Run,
  inbox: CheckedInbox,
  { credit, claimed, report }: Proposal,
): Promise<void> {
  const { name, internals } = payments
  const { attempt } = report.decision
  const owner = refundOwner(report, { credit: credit.id, attempt })
  const others = claimed.map(({ id }) => id).filter((id) => id !== credit.id)
  await releaseCredits(inbox, owner, [credit.id, ...others])
  // A webhook may name another transaction of the payment.
  const reports = await allReports(inbox.reports, { name, hashes: hashesOf(credit) })
  const ids = reports.filter((one) => wasHeld(one, internals.isAddingUp)).map(({ id }) => id)
  if (ids.length === 0) return
  await inbox.reports.redecide({ name, ids })
  internals.wakeReports()
}

/**
 * Returns true for a report whose decision may change because its money was released. Where nothing adds up, a mismatch stays
 * one, and was reported: after another payment of its order it would be reported again, as an extra payment.
 */
function wasHeld({ state, decision }: Report, isAddingUp: boolean): boolean {
  if (state !== 'decided') return false
  if (decision?.kind === 'unverified') return decision.reason === 'reused'
  return isAddingUp && decision?.kind === 'amount_mismatch'
}
