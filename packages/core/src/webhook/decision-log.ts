import type { DecisionKind } from '../orders/decision.js'
import type { Logger } from '../runtime/logger.js'
import type { DecisionEvent } from './decision-feed.js'

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
}

/** One line per decision: its facts, which are references, amounts and hashes; never the body. */
export function logDecision(logger: Logger, { decision, deliveryId }: DecisionEvent): void {
  const { kind, ...facts } = decision
  logger[LEVELS[kind]](`delivery decided: ${kind}`, { kind, deliveryId, ...facts })
}
