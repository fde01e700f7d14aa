import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { NewReport, Report } from '../inbox/inbox-reports.js'
import type { CreditUse, NamedOrder, StoredCredit } from '../inbox/inbox-credits.js'
import type { DecisionOf } from '../orders/decision.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { isSamePayment } from '../orders/same-payment.js'
import { toNewReport } from './report.js'

/** Blocks after the end of a proposal that the index must have: its servers differ by some. */
const GRACE_SECONDS = 300

/** A report of a proposed refund. */
export interface RefundReport extends Report {
  decision: DecisionOf<'refund'>
}

export function isRefund(report: Report): report is RefundReport {
  return report.decision?.kind === 'refund'
}

/** Returns the row of a proposal. @param operator who has asked for it; absent for one that the chain has shown */
export function refundRow(
  name: string,
  {
    merchant,
    transfer,
    decision,
    operator,
  }: {
    merchant: string
    transfer: TransferData
    decision: DecisionOf<'refund'>
    operator?: { by?: string | undefined; reason?: string | undefined } | undefined
  },
): NewReport {
  const { txHash, attempt } = decision
  const body = { event: 'transfer.completed', timestamp: transfer.date, data: transfer, operator }
  const rawBody = JSON.stringify(body)
  return {
    ...toNewReport(name, { merchant, source: 'operator', rawBody, transfer }),
    key: JSON.stringify(['refund', txHash, attempt]),
    wasCompletedBefore: false,
    decision,
  }
}

/** Returns true when the wallet can no longer send a proposed refund, and the index has all blocks that can have it. */
export function isOver({ validUntil }: DecisionOf<'refund'>, head: number): boolean {
  return head > validUntil + GRACE_SECONDS
}

/**
 * Returns the owner of a refund's claims. Each proposal has its own, so that a proposal that was not sent is released without
 * releasing a later one.
 */
export function refundOwner(
  { name, merchant }: Pick<NamedOrder, 'name' | 'merchant'>,
  { credit, attempt }: { credit: string; attempt: number },
): NamedOrder {
  return { name, merchant, reference: JSON.stringify(['refund', credit, attempt]) }
}

/**
 * Releases the credits of a payment from its refund. While the first credit is claimed the refund stands, so it is the last
 * one that is released.
 * @param credits the first credit of the payment, and the others that the refund has claimed
 */
export async function releaseCredits(
  inbox: Pick<CheckedInbox, 'credits'>,
  owner: NamedOrder,
  [first, ...others]: readonly [string, ...string[]],
): Promise<void> {
  for (const credit of [...others, first]) await inbox.credits.release({ ...owner, credit })
}

/** Returns the uses of a credit by refunds of this owner, whichever proposals they are. */
export function refundUses(
  { uses }: Pick<StoredCredit, 'uses'>,
  { name, merchant }: Pick<NamedOrder, 'name' | 'merchant'>,
): CreditUse[] {
  return uses.filter(
    (use) => use.kind === 'refund' && use.name === name && use.merchant === merchant,
  )
}

/**
 * Returns the reports without proposed refunds and their payments. The payment of a refund that was not sent, and was
 * released, stays.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function withoutRefunded(
  inbox: Pick<CheckedInbox, 'credits'>,
  reports: readonly Report[],
): Promise<Report[]> {
  const refunds = await standingRefunds(inbox, reports.filter(isRefund))
  return reports.filter(
    (report) => !isRefund(report) && !refunds.some((refund) => isRefundOf(refund, report)),
  )
}

/**
 * Returns the refunds whose claims were not released.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function standingRefunds(
  { credits }: Pick<CheckedInbox, 'credits'>,
  refunds: readonly RefundReport[],
): Promise<RefundReport[]> {
  if (refunds.length === 0) return []
  const hashes = [...new Set(refunds.map(({ decision }) => decision.txHash))]
  const stored = await credits.find({ hashes })
  return refunds.filter((refund) => {
    const { txHash, asset } = refund.decision
    const credit = stored.find((one) => one.txHash === txHash && one.asset === asset)
    return credit?.releasedRefunds === undefined || refundUses(credit, refund).length > 0
  })
}

/** Returns true for a report of the payment that a refund returns. */
export function isRefundOf(refund: RefundReport, { txHash, source, rawBody }: Report): boolean {
  // Both name the transaction that credited the wallet. Other payments of the trace have others.
  if (source === 'chain') return txHash === refund.decision.txHash
  const { traceId } = readStoredTransfer(refund.rawBody)
  const payment = { txHash: refund.decision.txHash, traceId }
  const transfer = readStoredTransfer(rawBody)
  return isSamePayment({ ...payment, source: 'operator' }, { txHash, source, transfer })
}
