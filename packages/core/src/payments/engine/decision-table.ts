import type { HandlerEvent } from '../inbox/handler-event.js'
import type { Decision, DecisionKind, DecisionOf } from '../orders/decision.js'

/** The consequences of a decision. */
interface Consequences {
  /** The event whose handlers run. */
  event: HandlerEvent | undefined
  /** The reason that `onMismatch` states; amounts have several. */
  reason?: 'asset' | 'wallet' | 'rule'
  /** Money that arrived and does not fit an order needs attention. */
  logLevel: 'debug' | 'info' | 'warn'
  /** The work of an operator, as `ListedTransfer.action`. */
  action: 'none' | 'wait' | 'assign' | 'accept_or_refund' | 'refund' | 'check'
  /** The status that the buyer of an order without payment sees; `undefined` when older reports decide. */
  status: 'detected' | 'needs_shop' | undefined
  /**
   * Money that completed no order: `held` counts as received for its order, `unassigned` does not. Two sources may report it,
   * and handlers run for one of them.
   */
  money: 'held' | 'unassigned' | undefined
}

/**
 * All consequences that differ by the kind of a decision: lists of kinds are read from here. A new kind has its facts in
 * `orders/decision.ts` and a row here; the rules are in `orders/rules.ts`.
 */
export const DECISIONS = {
  paid: {
    event: 'onPaid',
    logLevel: 'info',
    action: 'none',
    status: 'needs_shop',
    money: undefined,
  },
  failed: {
    event: 'onFailed',
    logLevel: 'info',
    action: 'none',
    status: undefined,
    money: undefined,
  },
  duplicate: {
    event: undefined,
    logLevel: 'debug',
    action: 'none',
    status: undefined,
    money: undefined,
  },
  extra_payment: {
    event: 'onExtraPayment',
    logLevel: 'warn',
    action: 'refund',
    status: 'needs_shop',
    money: 'unassigned',
  },
  paid_after_cancel: {
    event: 'onExtraPayment',
    logLevel: 'warn',
    action: 'refund',
    status: 'needs_shop',
    money: 'held',
  },
  amount_mismatch: {
    event: 'onMismatch',
    logLevel: 'warn',
    action: 'accept_or_refund',
    status: 'needs_shop',
    money: 'held',
  },
  asset_mismatch: {
    event: 'onMismatch',
    reason: 'asset',
    logLevel: 'warn',
    action: 'accept_or_refund',
    status: 'needs_shop',
    money: 'held',
  },
  wallet_mismatch: {
    event: 'onMismatch',
    reason: 'wallet',
    logLevel: 'warn',
    action: 'check',
    status: 'needs_shop',
    money: undefined,
  },
  rejected: {
    event: 'onMismatch',
    reason: 'rule',
    logLevel: 'warn',
    action: 'accept_or_refund',
    status: 'needs_shop',
    money: 'held',
  },
  unknown_order: {
    event: 'onUnknownOrder',
    logLevel: 'warn',
    action: 'assign',
    status: 'needs_shop',
    money: 'unassigned',
  },
  verifying: {
    event: undefined,
    logLevel: 'info',
    action: 'wait',
    status: 'detected',
    money: undefined,
  },
  unverified: {
    event: 'onUnverified',
    logLevel: 'warn',
    action: 'check',
    status: 'needs_shop',
    money: undefined,
  },
  refund: {
    event: undefined,
    logLevel: 'info',
    action: 'none',
    status: 'needs_shop',
    money: undefined,
  },
} as const satisfies Record<DecisionKind, Consequences>

/** The kinds of decisions, in the sequence of the table, which has exactly their names. */
export const DECISION_KINDS = Object.keys(DECISIONS) as DecisionKind[]

/** The kinds of decisions about money that counts as received for its order, and that an operator can accept. */
export const HELD_KINDS = DECISION_KINDS.filter((kind) => DECISIONS[kind].money === 'held')

/** The kinds of decisions with a consequence, for example `KindWith<'event', 'onMismatch'>`. */
export type KindWith<Name extends 'event' | 'money', Value extends Consequences[Name]> = {
  [Kind in DecisionKind]: (typeof DECISIONS)[Kind][Name] extends Value ? Kind : never
}[DecisionKind]

/** Returns true for a decision about money that counts as received for its order, and that an operator can accept. */
export function isHeld(
  decision: Decision | undefined,
): decision is DecisionOf<KindWith<'money', 'held'>> {
  return decision !== undefined && DECISIONS[decision.kind].money === 'held'
}

/** A decision about a transfer that does not fit its order: the kinds of the table with the event `onMismatch`. */
export type MismatchDecision = DecisionOf<
  'amount_mismatch' | 'asset_mismatch' | 'wallet_mismatch' | 'rejected'
>

/** Returns true for a decision that runs the handlers of an event. */
export function hasEvent<Event extends HandlerEvent>(
  decision: Decision | undefined,
  event: Event,
): decision is DecisionOf<KindWith<'event', Event>> {
  return decision !== undefined && DECISIONS[decision.kind].event === event
}
