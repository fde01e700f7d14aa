import { z } from 'zod'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { AcceptedPayment, Decision, DecisionOf } from '../orders/decision.js'
import { isSamePayment, type ReportedTransfer } from '../orders/same-payment.js'
import { readStoredTransfer } from '../orders/payload.js'
import type { AcceptedMoney } from '../orders/rules.js'
import type { AssetAmount, ReportSource } from '../orders/order.js'
import { isObject } from '../../shared/is-object.js'
import { lazy } from '../../shared/lazy.js'
import type { OptionSchemas } from '../../shared/options.js'
import { HELD_KINDS } from './decision-table.js'
import { endOtherUses } from './end-lost-uses.js'
import { reused } from './paid-elsewhere.js'
import { claimedTransactions, creditsOf, isUseOf } from './report.js'

/** The field beside the transfer in which an operator's report has the payments that it accepts. */
export const ACCEPTED_FIELD = 'accepted'

const ACCEPTED = lazy(() =>
  z.object({
    payments: z.array(
      z.object({
        txHash: z.string(),
        traceId: z.string(),
        source: z.enum(['webhook', 'chain', 'gateway', 'operator'] satisfies ReportSource[]),
        rawAmount: z.string(),
        asset: z.string(),
      } satisfies OptionSchemas<AcceptedPayment>),
    ),
    amounts: z.array(
      z.object({ asset: z.string(), rawAmount: z.string() } satisfies OptionSchemas<AssetAmount>),
    ),
  } satisfies OptionSchemas<AcceptedMoney>),
)

/** Reports that are decided as `paid` for one order; usually one. */
const MAX_PAID = 10

/** An acceptance that this version cannot read, for example one that a later version has stored. */
interface UnreadableMoney {
  /** The path of the field. */
  unreadable: string
}

/** Returns what an operator has accepted for the order of a report; `undefined` for any other report. */
export function acceptedBy({
  source,
  rawBody,
}: Pick<Report, 'source' | 'rawBody'>): AcceptedMoney | UnreadableMoney | undefined {
  if (source !== 'operator') return undefined
  const body: unknown = JSON.parse(rawBody)
  const accepted = isObject(body) ? body[ACCEPTED_FIELD] : undefined
  if (accepted === undefined) return undefined
  const { data, error } = ACCEPTED().safeParse(accepted)
  return data ?? { unreadable: [ACCEPTED_FIELD, ...(error?.issues[0]?.path ?? [])].join('.') }
}

/**
 * Returns the payments that an operator has accepted for a completed order.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function acceptedFor(
  inbox: Pick<CheckedInbox, 'reports'>,
  { name, merchant, reference }: Pick<Report, 'name' | 'merchant' | 'reference'>,
): Promise<AcceptedPayment[]> {
  const query = { name, merchant, reference, decision: 'paid', limit: MAX_PAID } as const
  const paid = await inbox.reports.list(query)
  return paid.flatMap(({ decision }) => (decision?.kind === 'paid' && decision.accepted) || [])
}

/**
 * Returns true for a transfer that is one of the accepted payments. Where the chain has shown which credit of a trace was
 * accepted, its other credits are other payments.
 */
export function isAcceptedPayment(
  accepted: readonly AcceptedPayment[],
  reported: ReportedTransfer,
): boolean {
  const { traceId } = reported.transfer
  const ofTrace = accepted.filter((one) => traceId !== '' && one.traceId === traceId)
  const isShown = reported.source === 'chain' && ofTrace.some(({ source }) => source === 'chain')
  if (isShown) return ofTrace.some(({ txHash }) => txHash === reported.txHash)
  return accepted.some((payment) => isSamePayment(payment, reported))
}

/** A transfer that the rules have decided, and its stored report. */
interface DecidedTransfer extends Pick<ReportedTransfer, 'transfer'> {
  report: Report
}

/**
 * Returns `duplicate` for money that an operator has accepted for its order. A credit is linked to the accepted payment: where
 * a webhook has reported the payment, one credit of its trace is accepted, and any other one is an extra payment.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function unlessAccepted(
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>,
  decision: Decision,
  facts: DecidedTransfer,
): Promise<Decision> {
  if (decision.kind !== 'extra_payment') return decision
  const { txHash, source, reference } = facts.report
  const payment = findAccepted(await acceptedFor(inbox, facts.report), facts)
  if (payment === undefined) return decision
  const linked = source === 'chain' ? await linkAccepted(inbox, facts, payment) : 'linked'
  if (linked === 'reused') return reused(facts.report)
  if (linked === 'other') return decision
  return { kind: 'duplicate', reference, txHash, completedBy: decision.completedBy }
}

/** Returns the accepted payment that a report is about. */
function findAccepted(
  accepted: readonly AcceptedPayment[],
  { report, transfer }: DecidedTransfer,
): AcceptedPayment | undefined {
  const { txHash, source } = report
  const own = transactionsOf(report)
  const named = accepted.find((one) => own.includes(one.txHash))
  if (named !== undefined) return named
  const reported = { txHash, source, transfer }
  const isAccepted = isAcceptedPayment(accepted, reported)
  return isAccepted ? accepted.find((one) => isSamePayment(one, reported)) : undefined
}

/** Returns the transactions that only this payment has. A webhook may have named one on the way to its credit. */
function transactionsOf({ txHash, payments }: Report): string[] {
  return [txHash, ...claimedTransactions(payments)]
}

/**
 * Claims a credit for an order that an operator has accepted it for.
 * @returns `other` when another credit of its trace is the accepted payment; `reused` when the credit has another use.
 */
async function linkAccepted(
  { credits }: Pick<CheckedInbox, 'credits'>,
  { report, transfer: { traceId } }: DecidedTransfer,
  accepted: AcceptedPayment | undefined,
): Promise<'linked' | 'other' | 'reused'> {
  const { name, merchant, reference, payments } = report
  const key = { name, merchant, reference }
  const own = creditsOf(report)
  const used = (await credits.listOf(key)).filter(({ uses }) =>
    uses.some((use) => isUseOf(key, use)),
  )
  if (own.length === 0 || used.some(({ id }) => own.includes(id))) return 'linked'
  const payment = accepted?.txHash
  const isLinked = used.some(({ uses }) => uses.some((use) => use.payment === payment))
  // A webhook that names no more than the trace may have been about the other credit.
  const isNamed = !isLinked && payment !== undefined && transactionsOf(report).includes(payment)
  const isTaken = used.some((credit) => traceId !== '' && credit.traceId === traceId)
  if (isTaken && !isNamed) return 'other'
  // Another process may link another credit of the trace at the same moment.
  if (await credits.claim({ ...key, payments, ...(!isLinked && { payment }) })) return 'linked'
  const [stored] = await credits.find({ ids: own })
  return stored?.uses.length === 0 ? 'other' : 'reused'
}

/**
 * Returns true for a report of money that an operator has accepted for its order.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function isAccepted(
  inbox: Pick<CheckedInbox, 'reports'>,
  report: Report,
): Promise<boolean> {
  const accepted = await acceptedFor(inbox, report)
  return accepted.some(({ txHash }) => txHash === report.txHash)
}

/**
 * Ends what other payments have claimed for the order, and decides the other reports of accepted payments again: they repeat the
 * payment of the order now.
 * @returns true when there are some.
 */
export async function settleAccepted(
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>,
  decision: DecisionOf<'paid'>,
  report: Report,
): Promise<boolean> {
  const { id, name, merchant, reference } = report
  const { accepted } = decision
  if (accepted === undefined) return false
  await endOtherUses(inbox, { ...report, decision })
  // A watcher may have called it extra before the acceptance was recorded.
  const kinds = [...HELD_KINDS, 'extra_payment'] as const
  const query = { name, merchant, reference, decision: kinds, limit: 1000 }
  const reports = await inbox.reports.list(query)
  const isOther = (one: Report): boolean => {
    const transfer = readStoredTransfer(one.rawBody)
    return one.id !== id && findAccepted(accepted, { report: one, transfer }) !== undefined
  }
  const ids = reports.filter(isOther).map((one) => one.id)
  if (ids.length > 0) await inbox.reports.redecide({ name, ids })
  return ids.length > 0
}
