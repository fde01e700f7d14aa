import { randomUUID } from 'node:crypto'
import type { Decision, Inbox, NewReport, Report } from '@tonplug/core'

export const POLICY = 'policy'

/** Returns a report of a webhook. */
export function newReport(changes: Partial<NewReport> = {}): NewReport {
  return {
    name: 'default',
    merchant: '',
    key: randomUUID(),
    source: 'webhook',
    signedWith: 'main',
    reference: 'order-1',
    txHash: 'ab',
    rawBody: '{}',
    payments: [],
    wasCompletedBefore: false,
    retryInMs: 30_000,
    ...changes,
  }
}

export function paid({ reference, txHash }: Pick<Report, 'reference' | 'txHash'>): Decision {
  return {
    kind: 'paid',
    reference,
    txHash,
    expected: '1',
    received: '1',
    amountRule: 'equal',
    isLate: false,
    source: 'webhook',
  }
}

/** Subscribes handlers, named `onPaid.ship` for example, and pins `POLICY`. */
export function subscribe(inbox: Inbox, handlers: readonly string[], name = 'default') {
  return inbox.processes.register({
    name,
    policy: POLICY,
    policyTtlMs: 30_000,
    handlers: handlers.map((handler) => ({ handler, event: 'onPaid' })),
    subscriptionTtlMs: 7 * 86_400_000,
  })
}

/** Stores a report and decides it as paid, for every subscription. */
export async function storePaid(inbox: Inbox, changes: Partial<NewReport> = {}): Promise<Report> {
  const report = await inbox.reports.store(newReport(changes))
  await inbox.reports.decide(report.id, { decision: paid(report), event: 'onPaid' })
  return report
}
