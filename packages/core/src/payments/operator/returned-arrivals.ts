import { allReports } from '../inbox/all-reports.js'
import type { Order } from '../orders/order.js'
import { checkLateRefunds } from '../engine/late-refunds.js'
import {
  isRefund,
  isRefundOf,
  standingRefunds,
  type RefundReport,
} from '../engine/proposed-refunds.js'
import { creditsOf } from '../engine/report.js'
import { decisive, type Arrival } from './arrivals.js'
import type { OperatorContext } from './context.js'
import { refundProgress } from './refund-progress.js'

/**
 * Returns the payments without those that were sent back, as the chain shows.
 * @returns the reason while one is being refunded, or the chain does not show what became of its refund.
 * @throws what the client of API v3 throws when the index cannot be reached.
 */
export async function withoutReturned<O extends Order>(
  context: OperatorContext<O>,
  arrivals: readonly Arrival[],
): Promise<Arrival[] | string> {
  const { inbox, claimLateRefunds, v3 } = context
  const credits = arrivals.flatMap((one) => one.reports.flatMap(creditsOf))
  if (claimLateRefunds !== undefined) await checkLateRefunds({ inbox, claimLateRefunds }, credits)
  const refunds = await refundsOf(context, arrivals)
  const kept: Arrival[] = []
  for (const arrival of arrivals) {
    const named = decisive(arrival)
    const own = refunds.filter((refund) => named.some((report) => isRefundOf(refund, report)))
    if (own.length === 0) kept.push(arrival)
    else if (!(await isReturned(context, own))) {
      const reason = 'a refund of the money was proposed'
      return v3 === undefined ? `${reason}, and only a client \`v3\` shows if it was sent` : reason
    }
  }
  return kept
}

/** Returns the refunds that have claimed money of these transactions. */
async function refundsOf<O extends Order>(
  { inbox, name }: OperatorContext<O>,
  arrivals: readonly Arrival[],
): Promise<RefundReport[]> {
  const txHashes = arrivals.flatMap(({ reports }) => reports.map(({ txHash }) => txHash))
  const reports = await allReports(inbox.reports, { name, txHashes, decision: 'refund' })
  return standingRefunds(inbox, reports.filter(isRefund))
}

/** Returns true when the payer has the money of one of these proposals. */
async function isReturned<O extends Order>(
  context: OperatorContext<O>,
  refunds: readonly RefundReport[],
): Promise<boolean> {
  for (const { id } of refunds) {
    const progress = await refundProgress(context, id)
    if (progress?.state === 'refunded') return true
  }
  return false
}
