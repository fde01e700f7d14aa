import type { Order } from '@tonplug/core'
import type { ListedTransfer, ReportSource } from '@tonplug/core/operator'
import type { AuditRecord, StoryPayment, TimelineEvent } from '../api.js'

/** Facts from which the events of a story are made. */
export interface StoryFacts {
  order: Order | null
  payments: readonly StoryPayment[]
  reports: readonly ListedTransfer[]
  audit: readonly AuditRecord[]
}

const HEARD: Record<Exclude<ReportSource, 'operator'>, string> = {
  chain: 'was found on the chain',
  webhook: 'was announced by the payment gateway',
  gateway: 'was found at the payment gateway',
}

/** Returns the events of a story, oldest first. */
export function timelineOf({ order, payments, reports, audit }: StoryFacts): TimelineEvent[] {
  const events = [
    ...orderEvents(order),
    ...payments.flatMap(paymentEvents),
    ...reports.map((report) => reportEvent(report, payments)),
    ...audit.map(auditEvent),
  ]
  return events.toSorted((one, other) => one.atMs - other.atMs)
}

function orderEvents(order: Order | null): TimelineEvent[] {
  const { createdAt, expiresAt } = order ?? {}
  return [
    ...(createdAt ? [{ atMs: createdAt.getTime(), text: 'The order was created.' }] : []),
    ...(expiresAt ? [{ atMs: expiresAt.getTime(), text: 'The order expires.' }] : []),
  ]
}

function paymentEvents({ paidAtMs, amount, situation }: StoryPayment): TimelineEvent[] {
  if (paidAtMs === undefined || situation.state === 'not_sent') return []
  return [{ atMs: paidAtMs, text: `The customer paid ${amount ?? 'an unknown amount'}.` }]
}

function reportEvent(
  { reportId, source, receivedAtMs, decision, reference, by, reason }: ListedTransfer,
  payments: readonly StoryPayment[],
): TimelineEvent {
  const payment = payments.find(({ reportIds }) => reportIds.includes(reportId))
  const amount = payment?.amount ?? 'A payment'
  if (source !== 'operator') return { atMs: receivedAtMs, text: `${amount} ${HEARD[source]}.` }
  const returned = payment?.refund?.amount ?? amount
  const text =
    decision?.kind === 'refund'
      ? `A refund of ${returned} was opened.`
      : operatorText({ decision, reference, amount })
  return { atMs: receivedAtMs, text, by, reason }
}

function operatorText({
  decision,
  reference,
  amount,
}: Pick<ListedTransfer, 'decision' | 'reference'> & { amount: string }): string {
  const isAccepted = decision?.kind === 'paid' && decision.amountRule === 'accepted'
  if (isAccepted) return `What arrived was accepted for order ${reference}.`
  return `${amount} was assigned to order ${reference}.`
}

const DONE: Record<AuditRecord['action'], string> = {
  reprocess: 'The payment was checked again.',
  retry: 'Failed tasks were run again.',
  accept: 'What arrived was accepted.',
  assign: 'The payment was assigned.',
  refund: 'A refund was opened.',
  sign: 'A wallet got the request of the refund.',
  end_signing: 'The wallet did not sign the refund.',
  look: 'The chain was read.',
}

function auditEvent({ action, by, reason, atMs }: AuditRecord): TimelineEvent {
  return { atMs, text: DONE[action], by, reason }
}
