import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { isSamePayment } from '../orders/same-payment.js'
import { parseBaseUnits } from '../shared/units.js'

/** Newer transfers with a wrong amount that are summed; an order rarely has more than two. */
const MAX_REPORTS = 1000

interface Part {
  report: Report
  transfer: TransferData
  amount: bigint
}

/**
 * Returns the sum of the transfers for an order that were rejected for their amount, in the order's asset, base units. A
 * payment that two doors reported counts once.
 */
export async function receivedSoFar(
  inbox: CheckedInbox,
  { name, merchant, reference }: Pick<Report, 'name' | 'merchant' | 'reference'>,
): Promise<bigint> {
  const order = { name, merchant, reference }
  const query = { ...order, decision: 'amount_mismatch', limit: MAX_REPORTS } as const
  const reports = await inbox.listReports(query)
  const parts = reports.flatMap((report) => partOf(report) ?? [])
  const distinct = parts.filter(
    (part, index) => !parts.slice(0, index).some((former) => isSame(former, part)),
  )
  return distinct.reduce((sum, { amount }) => sum + amount, 0n)
}

function partOf(report: Report): Part | undefined {
  const { decision, rawBody } = report
  if (decision?.kind !== 'amount_mismatch' || decision.asset !== undefined) return undefined
  const amount = parseBaseUnits(decision.received)
  return amount === undefined
    ? undefined
    : { report, transfer: readStoredTransfer(rawBody), amount }
}

function isSame(one: Part, other: Part): boolean {
  const { txHash, source } = one.report
  const payment = { txHash, source, traceId: one.transfer.traceId }
  return isSamePayment(payment, { ...other.report, transfer: other.transfer })
}
