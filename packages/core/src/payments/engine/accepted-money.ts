import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { AcceptedPayment, Decision, DecisionOf } from '../orders/decision.js'
import { isSamePayment, type ReportedTransfer } from '../orders/same-payment.js'
import { isObject } from '../../shared/is-object.js'

/** The field beside the transfer in which an operator's report lists the payments that it accepts. */
export const ACCEPTED_FIELD = 'accepted'

/** Reports that are decided as `paid` for one order; usually one. */
const MAX_PAID = 10

/** Returns the payments that an operator has accepted for the order of a report; `undefined` for any other report. */
export function acceptedBy({
  source,
  rawBody,
}: Pick<Report, 'source' | 'rawBody'>): AcceptedPayment[] | undefined {
  if (source !== 'operator') return undefined
  const body: unknown = JSON.parse(rawBody)
  const accepted = isObject(body) ? body[ACCEPTED_FIELD] : undefined
  // Only an operator's action writes the field.
  return Array.isArray(accepted) ? (accepted as AcceptedPayment[]) : undefined
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

/** Returns `duplicate` for money that an operator has accepted for its order. */
export async function unlessAccepted(
  inbox: Pick<CheckedInbox, 'reports'>,
  decision: Decision,
  { report, transfer }: { report: Report } & Pick<ReportedTransfer, 'transfer'>,
): Promise<Decision> {
  if (decision.kind !== 'extra_payment') return decision
  const { txHash, source, reference } = report
  const isAccepted = isAcceptedPayment(await acceptedFor(inbox, report), {
    txHash,
    source,
    transfer,
  })
  if (!isAccepted) return decision
  return { kind: 'duplicate', reference, txHash, completedBy: decision.completedBy }
}

/** Decides the other reports of accepted payments again: they repeat the payment of the order now. */
export async function settleAccepted(
  inbox: Pick<CheckedInbox, 'reports'>,
  { accepted }: DecisionOf<'paid'>,
  { id, name, merchant, reference }: Report,
): Promise<void> {
  if (accepted === undefined) return
  const held = ['amount_mismatch', 'asset_mismatch'] as const
  const reports = await inbox.reports.list({
    name,
    merchant,
    reference,
    decision: held,
    limit: 1000,
  })
  const hashes = new Set(accepted.map(({ txHash }) => txHash))
  const ids = reports.filter((one) => one.id !== id && hashes.has(one.txHash)).map((one) => one.id)
  if (ids.length > 0) await inbox.reports.redecide({ name, ids })
}
