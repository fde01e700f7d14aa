import type { Decision, DecisionKind } from '../orders/decision.js'
import type { Logger } from '../shared/logger.js'
import type { DecisionEvent } from './decision-feed.js'
import type { TransferData } from '../orders/payload.js'

/** Money that arrived and does not fit an order needs attention. */
const LEVELS: Record<DecisionKind, 'debug' | 'info' | 'warn'> = {
  paid: 'info',
  failed: 'info',
  duplicate: 'debug',
  unmatched: 'warn',
  amount_mismatch: 'warn',
  asset_mismatch: 'warn',
  recipient_mismatch: 'warn',
  rejected: 'warn',
  extra_payment: 'warn',
  paid_after_cancel: 'warn',
  verifying: 'info',
  unverified: 'warn',
}

/** Logs one line per decision with its facts: references, amounts and hashes; never the body. */
export function logDecision(logger: Logger, event: DecisionEvent): void {
  const { decision, transfer, merchant, source, reportId } = event
  const { kind, ...facts } = decision
  const level = isUnproven(decision, transfer) ? 'warn' : LEVELS[kind]
  const fields = { kind, reportId, source, ...(merchant !== '' && { merchant }), ...facts }
  logger[level](`report decided: ${kind}`, fields)
}

/** Money for a completed order whose repository does not return its payment: it may have been paid twice. */
function isUnproven(decision: Decision, { status }: TransferData): boolean {
  return (
    decision.kind === 'duplicate' &&
    decision.first === undefined &&
    decision.completedBy === undefined &&
    status === 'success'
  )
}
