import { z } from 'zod'
import { allReports } from '../inbox/all-reports.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { Decision } from '../orders/decision.js'
import { isOpen, orderId, type Order, type OrderKey } from '../orders/order.js'
import { offerIn } from '../orders/offers.js'
import { readStoredTransfer } from '../orders/payload.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import type { AcceptedMoney } from '../orders/rules.js'
import { ACCEPTED_FIELD, settleAccepted } from '../engine/accepted-money.js'
import { sumsOf } from '../engine/add-up.js'
import { linkReport } from '../engine/link-report.js'
import { hashesOf } from '../ledger/credit.js'
import { checkedKey } from '../engine/read-key.js'
import { isRefund } from '../engine/proposed-refunds.js'
import {
  claimedTransactions,
  creditsOf,
  transactionClaim,
  type TransferReport,
  keyOf,
} from '../engine/report.js'
import { lazy } from '../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import { decisive, toArrivals, type Arrival } from './arrivals.js'
import type { OperatorContext } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'
import { withoutReturned } from './returned-arrivals.js'

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

/** More reports than an order has, unless dust was sent to it. */
const MAX_REPORTS = 1000
const TOO_MANY = `more than ${MAX_REPORTS} reports name this order: accept one payment, by its creditId`

const USED = 'the money has paid another order, or a refund of it was proposed'

/** See `Operator.accept`. */
export async function accept<O extends Order>(
  context: OperatorContext<O>,
  acceptance: Acceptance,
  note: OperatorNote,
): Promise<AcceptResult> {
  const given = parseOptions(ACCEPTANCE(), { ...acceptance, ...note }, { path: 'accept' })
  const selected = await select(context, given)
  if (typeof selected === 'string') return refused(selected)
  const { key, chosen } = selected
  const { orders } = context
  const former = await formerResult(context, selected)
  if (former !== undefined) return former
  const order = await orders.find(key)
  if (order !== null && !isOpen(order)) return refused(`the order is ${order.status}`)
  const reports = await reportsOf(context, selected)
  if (reports.length > MAX_REPORTS) return refused(TOO_MANY)
  const arrivals = await unusedArrivals(context, reports, chosen)
  // The command line does not have the repository of the shop. The servers have found the order of a mismatch.
  if (typeof arrivals === 'string') {
    return refused(order === null ? 'no order has this reference' : arrivals)
  }
  const linked = await linkArrivals(context, { order, arrivals })
  if (linked.arrivals.length === 0) return refused(USED)
  const { reportId, decision } = await submit(context, { key, order, ...linked, note: given })
  if (decision === undefined) return { state: 'waiting', reportId }
  if (decision.kind !== 'duplicate') return { state: 'decided', reportId, decision }
  const first = await formerResult(context, selected)
  return first ?? { state: 'decided', reportId, decision }
}

function refused(reason: string): AcceptResult {
  return { state: 'refused', reason }
}

/** The order, and the chosen payment; without one everything that arrived for it. */
interface Selection {
  key: Required<OrderKey>
  chosen?: Chosen | undefined
}

/** A payment by its reports. */
interface Chosen {
  reports: readonly Report[]
  /** Hashes by which all its reports are found. */
  hashes: readonly string[]
}

/** @returns the reason when the order is not known. */
async function select<O extends Order>(
  context: OperatorContext<O>,
  { creditId, reportId, reference = '', merchant }: Acceptance,
): Promise<Selection | string> {
  if (creditId !== undefined) return selectCredit(context, creditId)
  if (reportId === undefined) return { key: checkedKey({ reference, merchant }) }
  const { inbox, name } = context
  const report = await inbox.reports.find(reportId)
  if (report?.name !== name || report.reference === '') {
    return 'no report of money for an order has this id'
  }
  const { traceId } = readStoredTransfer(report.rawBody)
  const hashes = [report.txHash, canonicalTransactionHash(traceId)].filter((hash) => hash !== '')
  return { key: keyOf(report), chosen: { reports: [report], hashes } }
}

/** A credit is assigned to its order by a report: a transfer without a comment has one of each. */
async function selectCredit<O extends Order>(
  { inbox, name }: OperatorContext<O>,
  id: string,
): Promise<Selection | string> {
  const [credit] = await inbox.credits.find({ ids: [id] })
  if (credit === undefined) return 'no credit has this id'
  const query = { name, txHashes: [credit.txHash] }
  const reports = (await allReports(inbox.reports, query)).filter(
    (report) => report.reference !== '' && !isRefund(report) && creditsOf(report).includes(id),
  )
  const [first] = reports
  if (first === undefined) return 'the credit names no order: assign it to one'
  if (new Set(reports.map(orderId)).size > 1) {
    return 'the credit was reported for several orders: accept one of its reports'
  }
  return { key: keyOf(first), chosen: { reports, hashes: hashesOf(credit) } }
}

/** Returns the reports of the order about one payment, or all of them. */
async function reportsOf<O extends Order>(
  { inbox, name }: OperatorContext<O>,
  { key, chosen }: Selection,
): Promise<Report[]> {
  const ofOrder = { ...key, name }
  if (chosen === undefined) return inbox.reports.list({ ...ofOrder, limit: MAX_REPORTS + 1 })
  return allReports(inbox.reports, { ...ofOrder, hashes: chosen.hashes })
}

/** A repeated call returns the first result. The first one may have ended before it settled what it had accepted. */
async function formerResult<O extends Order>(
  { inbox, engine, name }: OperatorContext<O>,
  { key, chosen }: Selection,
): Promise<AcceptResult | undefined> {
  const own = chosen?.reports.map(({ txHash }) => txHash)
  const query = { ...key, name, decision: 'paid' as const, limit: MAX_REPORTS }
  for (const report of await inbox.reports.list(query)) {
    const { id: reportId, decision } = report
    if (decision?.kind !== 'paid' || decision.accepted === undefined) continue
    if (await settleAccepted(inbox, decision, report)) engine.wakeReports()
    const isOther = !decision.accepted.some(({ txHash }) => own?.includes(txHash) ?? true)
    if (isOther) return refused('other money was accepted for the order')
    return { state: 'decided', reportId, decision }
  }
  return undefined
}

/** Returns the payments that no order was paid with, and that were not sent back; otherwise the reason. */
async function unusedArrivals<O extends Order>(
  context: OperatorContext<O>,
  reports: readonly Report[],
  chosen: Chosen | undefined,
): Promise<Arrival[] | string> {
  const ids = chosen?.reports.map(({ id }) => id)
  const arrivals = toArrivals(reports).filter((one) =>
    one.reports.some(({ id }) => ids?.includes(id) ?? true),
  )
  if (arrivals.length === 0) return 'no money that can be accepted arrived for this order'
  const kept = await withoutReturned(context, arrivals)
  if (typeof kept === 'string') return kept
  if (kept.length === 0) return 'the money was sent back'
  const used = await usedTransactions(context, kept)
  const unused = kept.filter((one) => ownTransactions(one).every((txHash) => !used.has(txHash)))
  return unused.length > 0 ? unused : 'the money has paid another order'
}

async function usedTransactions<O extends Order>(
  { inbox, name }: OperatorContext<O>,
  arrivals: readonly Arrival[],
): Promise<ReadonlySet<string>> {
  const txHashes = arrivals.flatMap(ownTransactions)
  const paid = await allReports(inbox.reports, { name, txHashes, decision: 'paid' })
  return new Set(paid.map(({ txHash }) => txHash))
}

/** Returns the transactions that only this payment has. */
function ownTransactions(arrival: Arrival): string[] {
  const reports = decisive(arrival)
  return reports.flatMap(({ txHash, payments }) => [txHash, ...claimedTransactions(payments)])
}

/**
 * Returns the payments with claims on the stored credits of those that only webhooks and operators have reported for the order,
 * without those whose credits are used.
 */
async function linkArrivals<O extends Order>(
  { inbox }: OperatorContext<O>,
  { order, arrivals }: Pick<Submission, 'order' | 'arrivals'>,
): Promise<Pick<Submission, 'arrivals' | 'links'>> {
  const unused: Arrival[] = []
  const links: string[] = []
  for (const arrival of arrivals) {
    const linked = []
    for (const report of decisive(arrival)) {
      if (creditsOf(report).length > 0) continue
      const transfer = readStoredTransfer(report.rawBody)
      linked.push(await linkReport(inbox, { report, transfer, order, isAccepted: true }))
    }
    if (linked.some(({ kind }) => kind === 'used')) continue
    unused.push(arrival)
    links.push(...linked.flatMap((one) => (one.kind === 'linked' ? one.claims : [])))
  }
  return { arrivals: unused, links }
}

interface Submission {
  key: Required<OrderKey>
  order: Order | null
  arrivals: readonly Arrival[]
  /** Claims on credits that the reports do not name. */
  links: readonly string[]
  note: OperatorNote
}

function acceptedMoney(arrivals: readonly Arrival[]): AcceptedMoney {
  const payments = arrivals.flatMap(({ reports, transfer: { traceId, rawAmount, asset } }) =>
    reports.map(({ txHash, source }) => ({ txHash, traceId, source, rawAmount, asset })),
  )
  const sums = [...sumsOf(arrivals)]
  return { payments, amounts: sums.map(([asset, sum]) => ({ asset, rawAmount: `${sum}` })) }
}

/** Stores the acceptance with claims on all its money. Equal acceptances are one report. */
function submit<O extends Order>(
  { engine, claimLateRefunds }: OperatorContext<O>,
  { key: { reference, merchant }, order, arrivals, links, note: { by, reason } }: Submission,
): ReturnType<typeof engine.submitByOperator> {
  const [newest] = arrivals
  const isOffered = ({ asset }: Arrival) => order !== null && offerIn(order, asset) !== undefined
  const main = arrivals.find(isOffered) ?? newest
  if (main === undefined) throw new TypeError('expected a payment')
  const [best] = main.reports
  const transfer = { ...main.transfer, reference, txHash: best?.txHash ?? main.transfer.txHash }
  const accepted = acceptedMoney(arrivals)
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  const rawBody = JSON.stringify({
    ...payload,
    operator: { by, reason },
    [ACCEPTED_FIELD]: accepted,
  })
  const payments = new Set([
    ...arrivals.flatMap(ownTransactions).map(transactionClaim),
    ...arrivals.flatMap(decisive).flatMap((one) => one.payments),
    ...links,
  ])
  const report: TransferReport = {
    merchant,
    source: 'operator',
    rawBody,
    transfer,
    payments: [...payments],
  }
  const all = arrivals.flatMap(({ reports }) => reports)
  const hashes = all.map(({ txHash }) => txHash).toSorted()
  const key = JSON.stringify(['accept', merchant, reference, ...hashes])
  return engine.submitByOperator(report, { key, claimLateRefunds })
}
