import type { Report } from '../inbox/inbox-reports.js'
import type { DecisionKind } from '../orders/decision.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { isSamePayment } from '../orders/same-payment.js'
import { decidedCredit } from '../engine/bad-news.js'
import { unlessInvalid } from '../engine/compare-reports.js'
import { HELD_KINDS } from '../engine/decision-table.js'
import { creditsOf } from '../engine/report.js'
import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'

/** A payment that has completed no order: its reports, the most reliable one first. */
export interface Arrival {
  reports: Report[]
  transfer: TransferData
  /** Canonical. */
  asset: string
  /** Base units, more than 0. */
  amount: bigint
}

const HELD: readonly (DecisionKind | undefined)[] = HELD_KINDS

/** Returns the reports that say which refund is of the payment: a gateway's names every payment of its trace. */
export function decisive({ reports }: Arrival): readonly Report[] {
  const exact = reports.filter(({ source }) => source === 'chain')
  return exact.length > 0 ? exact : reports
}

/** A held report, and its money. */
interface Held extends Omit<Arrival, 'reports'> {
  report: Report
}

/**
 * Groups reports by their payments. The chain shows the credits of a trace one by one; the gateway names only the trace, so
 * its reports join the most similar payment.
 */
export function toArrivals(reports: readonly Report[]): Arrival[] {
  const arrivals: Arrival[] = []
  const held = reports.filter(mayBeAccepted).flatMap((report) => readHeld(report) ?? [])
  for (const one of [...held.filter(isExact), ...held.filter((other) => !isExact(other))]) {
    const { report, ...money } = one
    const same = findSame(arrivals, one)
    if (same === undefined) arrivals.push({ reports: [report], ...money })
    else if (report.source !== 'chain') same.reports.push(report)
    else Object.assign(same, money, { reports: [report, ...same.reports] })
  }
  const placeOf = (one: Arrival) =>
    Math.min(...one.reports.map((report) => reports.indexOf(report)))
  return arrivals
    .filter((one) => one.reports.some(({ decision }) => HELD.includes(decision?.kind)))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
}

function readHeld(report: Report): Held | undefined {
  const transfer = readStoredTransfer(report.rawBody)
  const asset = unlessInvalid(() => canonicalAsset(transfer.asset))
  const amount = parseBaseUnits(transfer.rawAmount)
  if (transfer.status !== 'success' || asset === undefined || !amount) return undefined
  return { report, transfer, asset, amount }
}

/** Returns true for a report that names its transaction or its credits, and not a whole trace. */
function isExact({ report }: Held): boolean {
  return report.source === 'chain' || creditsOf(report).length > 0
}

function findSame(arrivals: readonly Arrival[], held: Held): Arrival | undefined {
  const { report, transfer, asset, amount } = held
  const isOfHash = ({ reports }: Arrival) => reports.some(({ txHash }) => txHash === report.txHash)
  if (isExact(held)) {
    const credits = creditsOf(report)
    const hasCredit = (other: Report) => creditsOf(other).some((id) => credits.includes(id))
    return arrivals.find((one) => isOfHash(one) || one.reports.some(hasCredit))
  }
  // Of equal payments, that of the credit in its decision.
  const told = decidedCredit(report) ?? ''
  const ofCredit = arrivals.find((one) =>
    one.reports.some((other) => creditsOf(other).includes(told)),
  )
  if (ofCredit !== undefined) return ofCredit
  const ofAsset = arrivals.filter((one) => one.asset === asset)
  const possible = ofAsset.filter((one) =>
    one.reports.some((other) =>
      isSamePayment({ ...other, traceId: one.transfer.traceId }, { ...report, transfer }),
    ),
  )
  const isOfAmount = (one: Arrival) => one.amount === amount
  return possible.find(isOfHash) ?? possible.find(isOfAmount) ?? possible[0]
}

/** Repetitions of a report name further transactions of its payment. */
function mayBeAccepted({ state, decision }: Report): boolean {
  if (state === 'unreadable' || decision === undefined) return false
  return (
    HELD.includes(decision.kind) || (decision.kind === 'duplicate' && HELD.includes(decision.first))
  )
}
