import type { Order } from '@tonplug/core'
import { DECISIONS } from '@tonplug/core/internal'
import type { ListedTransfer } from '@tonplug/core/operator'
import type { SituationState } from '../api.js'
import { isSameAddress } from './addresses.js'

type KnownDecision = NonNullable<ListedTransfer['decision']>

/**
 * Returns the state of a payment, from the facts of its decision and its tasks.
 * @param order is named by the payment; also by its comment alone
 */
export function stateOf(payment: ListedTransfer, order?: Order | null): SituationState {
  const { state, decision, action, handlers } = payment
  if (state === 'unreadable') return 'not_readable'
  if (decision === undefined) return 'waiting'
  if (isToldByChain(decision)) return state === 'parked' ? 'waiting' : 'repeated'
  const found = stateOfDecision(decision)
  if (found === 'paid') {
    return handlers.some((task) => task.state === 'dead') ? 'task_failed' : found
  }
  // The money has paid an order since, or a refund was opened.
  const isMoney = DECISIONS[decision.kind].money !== undefined
  if (action === 'none' && isMoney) return 'settled'
  return found === 'unknown_order' && isForOtherWallet(payment, order) ? 'wrong_wallet' : found
}

/** Returns true for money with the comment of an order that another wallet should have received. */
function isForOtherWallet({ transfer }: ListedTransfer, order?: Order | null): boolean {
  if (!order?.recipient || transfer?.commentToRecipient !== order.reference) return false
  return !isSameAddress(order.recipient, transfer.recipientAddr)
}

/** Returns true for a message of the gateway about money that the chain shows, too. */
export function isToldByChain(decision: KnownDecision): boolean {
  return 'toldByChain' in decision && decision.toldByChain === true
}

function stateOfDecision(decision: KnownDecision): SituationState {
  switch (decision.kind) {
    case 'paid':
      return 'paid'
    case 'failed':
      return 'not_sent'
    case 'duplicate':
      return 'repeated'
    case 'extra_payment':
      return 'paid_twice'
    case 'paid_after_cancel':
      return 'paid_after_cancelling'
    case 'amount_mismatch':
      return amountState(decision)
    case 'asset_mismatch':
      return 'wrong_coin'
    case 'wallet_mismatch':
      return 'wrong_wallet'
    case 'verifying':
      return 'waiting_for_proof'
    case 'unverified':
      return decision.reason === 'reused' ? 'settled' : 'proof_failed'
    case 'refund':
      return 'refund_opened'
    default:
      return BY_ACTION[DECISIONS[decision.kind].action]
  }
}

/** States of the kinds of decisions that have no words of their own. */
const BY_ACTION = {
  none: 'settled',
  wait: 'waiting',
  assign: 'unknown_order',
  accept_or_refund: 'needs_decision',
  refund: 'needs_decision',
  check: 'needs_decision',
} as const satisfies Record<ListedTransfer['action'], SituationState>

function amountState({
  asset,
  isLate,
  expected,
  received,
}: Extract<KnownDecision, { kind: 'amount_mismatch' }>): SituationState {
  if (asset !== undefined) return 'wrong_coin'
  if (!/^\d{1,80}$/.test(received)) return 'needs_decision'
  if (BigInt(received) < BigInt(expected)) return 'partly_paid'
  if (BigInt(received) > BigInt(expected)) return 'too_much'
  return isLate === true ? 'late' : 'needs_decision'
}
