import type { Decision, DecisionKind } from '../orders/decision.js'
import type { Logger } from '../runtime/logger.js'
import type { DecisionEvent } from './decision-feed.js'
import type { TransferData } from './payload.js'

/** Money that arrived and does not fit an order is for somebody to look at. */
const LEVELS: Record<DecisionKind, 'debug' | 'info' | 'warn'> = {
  paid: 'info',
  failed: 'info',
  duplicate: 'debug',
  unexpected_status: 'warn',
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

/** One line per decision: its facts, which are references, amounts and hashes; never the body. */
export function logDecision(
  logger: Logger,
  { decision, transfer, deliveryId }: DecisionEvent,
): void {
  const { kind, ...facts } = decision
  const level = isUnproven(decision, transfer) ? 'warn' : LEVELS[kind]
  logger[level](`delivery decided: ${kind}`, { kind, deliveryId, ...facts })
}

/** Money for a completed order whose repository does not tell by which transfer: it may have come twice. */
function isUnproven(decision: Decision, { status }: TransferData): boolean {
  return (
    decision.kind === 'duplicate' &&
    decision.first === undefined &&
    decision.completedBy === undefined &&
    status === 'success'
  )
}
