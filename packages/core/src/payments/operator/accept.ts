import { z } from 'zod'
import type { Report } from '../inbox/inbox-reports.js'
import type { AcceptedPayment, Decision, DecisionKind } from '../orders/decision.js'
import { isOpen, orderId, type Order, type OrderKey } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { isSamePayment } from '../orders/same-payment.js'
import { ACCEPTED_FIELD } from '../engine/accepted-money.js'
import { REPORTS_OF_TRANSACTION } from '../engine/paid-elsewhere.js'
import { checkLateRefunds } from '../engine/late-refunds.js'
import { checkedKey } from '../engine/read-key.js'
import { keyOf } from '../engine/decide-report.js'
import { isRefund, withoutRefunded } from '../engine/proposed-refunds.js'
import { creditsOf, transactionClaim, type TransferReport } from '../engine/report.js'
import { lazy } from '../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import { parseBaseUnits } from '../../shared/units.js'
import type { OperatorContext } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'

/** The money to accept: one payment by its credit or by a report, or everything unused that arrived for an order. */
export interface Acceptance {
  /** The credit of the payment, as the `credit` of its decision. Leave out to accept everything. */
  creditId?: string | undefined
  /** A report of the payment. Leave out to accept everything. */
  reportId?: string | undefined
  /** The order. Leave out with `creditId` and `reportId`, which name the order. */
  reference?: string | undefined
  /** The merchant of the order, with `reference`. @default '' */
  merchant?: string | undefined
}

/** Result of an acceptance. */
export type AcceptResult =
  | {
      /** The decision is `paid`, or says why the rules still reject the money. */
      state: 'decided'
      reportId: string
      decision: Decision
    }
  | {
      /** This process may not decide: a started process with the pinned policy decides within seconds. */
      state: 'waiting'
      reportId: string
    }
  | {
      /** Nothing was done. */
      state: 'refused'
      reason: string
    }

const REASON = 'must say why the money is accepted'
const SELECTION = 'needs either creditId, or reportId, or reference with an optional merchant'

const ACCEPTANCE = lazy(() =>
  z
    .strictObject({
      creditId: z.string().min(1).optional(),
      reportId: z.string().min(1).optional(),
      reference: z.string().min(1).optional(),
      merchant: z.string().optional(),
      ...operatorNote(),
      reason: z.string(REASON).min(1, REASON).max(1000),
    } satisfies OptionSchemas<Acceptance & OperatorNote>)
    .refine(
      ({ creditId, reportId, reference }) =>
        [creditId, reportId, reference].filter((one) => one !== undefined).length === 1,
      { error: SELECTION },
    ),
)

/** Decisions about money that an operator can accept. */
const HELD: readonly (DecisionKind | undefined)[] = ['amount_mismatch', 'asset_mismatch']
/** More reports than an order has. */
const MAX_REPORTS = 1000

/** The reports of one payment, the most reliable one first. */
interface Arrival {
  reports: Report[]
  transfer: TransferData
}

/** See `Operator.accept`. */
export async function accept<O extends Order>(
  context: OperatorContext<O>,
  acceptance: Acceptance,
  note: OperatorNote,
): Promise<AcceptResult> {
  const given = parseOptions(ACCEPTANCE(), { ...acceptance, ...note }, { path: 'accept' })
  const selected = await select(context, given)
  if (typeof selected === 'string') return refused(selected)
  const { key, ids } = selected
  const { name, inbox, orders } = context
  const reports = await inbox.reports.list({ ...key, name, limit: MAX_REPORTS })
  const former = formerResult(reports)
  if (former !== undefined) return former
  const order = await orders.find(key)
  if (order === null) return refused('no order has this reference')
  if (!isOpen(order)) return refused(`the order is ${order.status}`)
  const arrivals = await unusedArrivals(context, { reports, ids })
  if (typeof arrivals === 'string') return refused(arrivals)
  const { reportId, decision } = await submit(context, { key, arrivals, note: given })
  if (decision === undefined) return { state: 'waiting', reportId }
  if (decision.kind !== 'duplicate') return { state: 'decided', reportId, decision }
  const first = formerResult(await inbox.reports.list({ ...key, name, limit: MAX_REPORTS }))
  return first ?? { state: 'decided', reportId, decision }
}

function refused(reason: string): AcceptResult {
  return { state: 'refused', reason }
}

/** The order, and the reports of one payment; `undefined` for everything that arrived for it. */
interface Selection {
  key: Required<OrderKey>
  ids: readonly string[] | undefined
}

/** @returns the reason when the order is not known. */
async function select<O extends Order>(
  context: OperatorContext<O>,
  { creditId, reportId, reference = '', merchant }: Acceptance,
): Promise<Selection | string> {
  if (creditId !== undefined) return selectCredit(context, creditId)
  if (reportId === undefined) return { key: checkedKey({ reference, merchant }), ids: undefined }
  const { inbox, name } = context
  const report = await inbox.reports.find(reportId)
  if (report?.name !== name || report.reference === '') {
    return 'no report of money for an order has this id'
  }
  return { key: keyOf(report), ids: [reportId] }
}

/** A credit is assigned to its order by a report: a transfer without a comment has one of each. */
async function selectCredit<O extends Order>(
  { inbox, name }: OperatorContext<O>,
  id: string,
): Promise<Selection | string> {
  const [credit] = await inbox.credits.find({ ids: [id] })
  if (credit === undefined) return 'no credit has this id'
  const query = { name, txHashes: [credit.txHash], limit: REPORTS_OF_TRANSACTION }
  const reports = (await inbox.reports.list(query)).filter(
    (report) => report.reference !== '' && !isRefund(report) && creditsOf(report).includes(id),
  )
  const [first] = reports
  if (first === undefined) return 'the credit names no order: assign it to one'
  if (new Set(reports.map(orderId)).size > 1) {
    return 'the credit was reported for several orders: accept one of its reports'
  }
  return { key: keyOf(first), ids: reports.map((report) => report.id) }
}

/** A repeated call returns the first result. */
function formerResult(reports: readonly Report[]): AcceptResult | undefined {
  for (const { id: reportId, decision } of reports) {
    if (decision?.kind !== 'paid' || decision.accepted === undefined) continue
    return { state: 'decided', reportId, decision }
  }
  return undefined
}

/** Returns the payments that no order was paid with; otherwise the reason. */
async function unusedArrivals<O extends Order>(
  context: OperatorContext<O>,
  { reports, ids }: { reports: readonly Report[]; ids: Selection['ids'] },
): Promise<Arrival[] | string> {
  const all = toArrivals(reports)
  const chosen =
    ids === undefined
      ? all
      : all.filter((one) => one.reports.some((report) => ids.includes(report.id)))
  const { inbox, claimLateRefunds } = context
  const credits = chosen.flatMap((one) => one.reports.flatMap(creditsOf))
  if (claimLateRefunds !== undefined) await checkLateRefunds({ inbox, claimLateRefunds }, credits)
  const left = new Set(await withoutRefunded(inbox, reports))
  if (chosen.some((one) => decisive(one).some((report) => !left.has(report)))) {
    return 'a refund of the money was proposed'
  }
  const used = await usedTransactions(context, chosen)
  const unused = chosen.filter((one) => one.reports.every(({ txHash }) => !used.has(txHash)))
  if (unused.length > 0) return unused
  return chosen.length > 0
    ? 'the money has paid another order'
    : 'no money that can be accepted arrived for this order'
}

/** Returns the reports that say which refund is of the payment: a gateway's names every payment of its trace. */
function decisive({ reports }: Arrival): readonly Report[] {
  const exact = reports.filter(({ source }) => source === 'chain')
  return exact.length > 0 ? exact : reports
}

/** A held report, and its transfer. */
interface Held {
  report: Report
  transfer: TransferData
}

/**
 * Groups reports by their payments. The chain shows the credits of a trace one by one; the gateway names only the trace, so
 * its reports join the most similar payment.
 */
function toArrivals(reports: readonly Report[]): Arrival[] {
  const arrivals: Arrival[] = []
  const held = reports.filter(mayBeAccepted).flatMap((report): Held[] => {
    const transfer = readStoredTransfer(report.rawBody)
    const isMoney = transfer.status === 'success' && (parseBaseUnits(transfer.rawAmount) ?? 0n) > 0n
    return isMoney ? [{ report, transfer }] : []
  })
  for (const { report, transfer } of [
    ...held.filter(isExact),
    ...held.filter((one) => !isExact(one)),
  ]) {
    const same = findSame(arrivals, { report, transfer })
    if (same === undefined) arrivals.push({ reports: [report], transfer })
    else if (report.source !== 'chain') same.reports.push(report)
    else {
      same.reports.unshift(report)
      same.transfer = transfer
    }
  }
  const placeOf = (one: Arrival) =>
    Math.min(...one.reports.map((report) => reports.indexOf(report)))
  return arrivals
    .filter((one) => one.reports.some(({ decision }) => HELD.includes(decision?.kind)))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Returns true for a report that names its transaction or its credits, and not a whole trace. */
function isExact({ report }: Held): boolean {
  return report.source === 'chain' || creditsOf(report).length > 0
}

function findSame(arrivals: readonly Arrival[], held: Held): Arrival | undefined {
  const { report, transfer } = held
  const isOfHash = ({ reports }: Arrival) => reports.some(({ txHash }) => txHash === report.txHash)
  if (isExact(held)) {
    const credits = creditsOf(report)
    const hasCredit = (other: Report) => creditsOf(other).some((id) => credits.includes(id))
    return arrivals.find((one) => isOfHash(one) || one.reports.some(hasCredit))
  }
  const possible = arrivals.filter((one) =>
    one.reports.some((other) =>
      isSamePayment({ ...other, traceId: one.transfer.traceId }, { ...report, transfer }),
    ),
  )
  const isOfAmount = (one: Arrival) => one.transfer.rawAmount === transfer.rawAmount
  return possible.find(isOfHash) ?? possible.find(isOfAmount) ?? possible[0]
}

/** Repetitions of a report name further transactions of its payment. */
function mayBeAccepted({ state, decision }: Report): boolean {
  if (state === 'unreadable' || decision === undefined) return false
  return (
    HELD.includes(decision.kind) || (decision.kind === 'duplicate' && HELD.includes(decision.first))
  )
}

async function usedTransactions<O extends Order>(
  { inbox, name }: OperatorContext<O>,
  arrivals: readonly Arrival[],
): Promise<ReadonlySet<string>> {
  const txHashes = arrivals.flatMap(({ reports }) => reports.map(({ txHash }) => txHash))
  if (txHashes.length === 0) return new Set()
  const limit = txHashes.length * REPORTS_OF_TRANSACTION
  const paid = await inbox.reports.list({ name, txHashes, decision: 'paid', limit })
  return new Set(paid.map(({ txHash }) => txHash))
}

interface Submission {
  key: Required<OrderKey>
  arrivals: readonly Arrival[]
  note: OperatorNote
}

/** Stores the acceptance with claims on all its money. Equal acceptances are one report. */
function submit<O extends Order>(
  { engine, claimLateRefunds }: OperatorContext<O>,
  { key: { reference, merchant }, arrivals, note: { by, reason } }: Submission,
): ReturnType<typeof engine.submitByOperator> {
  const [newest] = arrivals
  if (newest === undefined) throw new TypeError('expected a payment')
  const [best] = newest.reports
  const transfer = { ...newest.transfer, reference, txHash: best?.txHash ?? newest.transfer.txHash }
  const accepted = arrivals.flatMap(({ reports, transfer: { traceId, rawAmount, asset } }) =>
    reports.map(({ txHash, source }): AcceptedPayment => ({
      txHash,
      traceId,
      source,
      rawAmount,
      asset,
    })),
  )
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  const rawBody = JSON.stringify({
    ...payload,
    operator: { by, reason },
    [ACCEPTED_FIELD]: accepted,
  })
  const all = arrivals.flatMap(({ reports }) => reports)
  const payments = new Set([
    ...all.map(({ txHash }) => transactionClaim(txHash)),
    ...all.flatMap((report) => report.payments),
  ])
  const report: TransferReport = {
    merchant,
    source: 'operator',
    rawBody,
    transfer,
    payments: [...payments],
  }
  const hashes = all.map(({ txHash }) => txHash).toSorted()
  const key = JSON.stringify(['accept', merchant, reference, ...hashes])
  return engine.submitByOperator(report, { key, claimLateRefunds })
}
