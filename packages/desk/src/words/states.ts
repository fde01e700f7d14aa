import type { DeskAction, SituationState, Situation } from '../api.js'

/** The words of a state. The sentence about what happened is made from the facts. */
interface StateWords extends Pick<Situation, 'name' | 'tone'> {
  /** The work of an operator; absent for nothing to do. */
  todo?: string
  /** The actions that make sense, the first one first. */
  actions: readonly DeskAction[]
}

/** The one table of words, for lists, pages, titles and the overview. */
export const STATES: Record<SituationState, StateWords> = {
  paid: { name: 'paid', tone: 'good', actions: [] },
  partly_paid: {
    name: 'partly paid',
    tone: 'bad',
    todo: 'Ask the customer for the rest, accept what arrived, or send it back.',
    actions: ['accept', 'refund', 'assign', 'reprocess'],
  },
  too_much: {
    name: 'too much',
    tone: 'bad',
    todo: 'Accept it if the customer agrees, or send it back.',
    actions: ['accept', 'refund', 'assign', 'reprocess'],
  },
  wrong_coin: {
    name: 'wrong coin',
    tone: 'bad',
    todo: 'Send it back and ask for the right coin, or accept it if its value is enough.',
    actions: ['refund', 'accept', 'assign', 'reprocess'],
  },
  late: {
    name: 'late',
    tone: 'bad',
    todo: 'The price had expired. Accept it if it is still enough, or send it back.',
    actions: ['accept', 'refund', 'assign', 'reprocess'],
  },
  unknown_order: {
    name: 'unknown order',
    tone: 'wait',
    todo: 'Find the order of the customer and assign the payment to it, or send it back.',
    actions: ['assign', 'refund', 'reprocess'],
  },
  wrong_wallet: {
    name: 'wrong wallet',
    tone: 'bad',
    todo: 'Send it back from the wallet that was paid. If that wallet is right, a developer must correct the order or the settings; then check it again.',
    actions: ['refund', 'assign', 'reprocess'],
  },
  paid_after_cancelling: {
    name: 'paid after cancelling',
    tone: 'bad',
    todo: 'Send it back, or assign it to a new order of the customer.',
    actions: ['refund', 'assign'],
  },
  paid_twice: {
    name: 'paid twice',
    tone: 'bad',
    todo: 'Send it back, or assign it to another order of the customer.',
    actions: ['refund', 'assign'],
  },
  waiting: { name: 'waiting', tone: 'wait', actions: [] },
  waiting_for_proof: { name: 'waiting for proof', tone: 'wait', actions: [] },
  proof_failed: {
    name: 'proof failed',
    tone: 'bad',
    todo: 'Ship nothing for it. Check it again if the chain shows it now.',
    actions: ['reprocess', 'assign'],
  },
  needs_decision: {
    name: 'needs a decision',
    tone: 'bad',
    todo: 'Change the order and check the payment again, accept it, or send it back.',
    actions: ['reprocess', 'accept', 'refund', 'assign'],
  },
  not_readable: {
    name: 'not readable',
    tone: 'bad',
    todo: 'Ask a developer: the details have the message as it was received.',
    actions: ['reprocess'],
  },
  task_failed: {
    name: 'task failed',
    tone: 'bad',
    todo: 'Fix the cause, then run the task again.',
    actions: ['retry'],
  },
  refund_opened: { name: 'refund opened', tone: 'wait', actions: [] },
  refund_open: {
    name: 'refund open',
    tone: 'wait',
    todo: 'Sign it once, with the wallet that was paid.',
    actions: [],
  },
  refund_expired: {
    name: 'refund expired',
    tone: 'bad',
    todo: 'Open another one. That is possible five minutes after the end of the last one.',
    actions: ['refund'],
  },
  refund_sent: { name: 'refund sent', tone: 'wait', actions: [] },
  refund_arrived: { name: 'refund arrived', tone: 'plain', actions: [] },
  settled: { name: 'settled', tone: 'plain', actions: [] },
  repeated: { name: 'repeated', tone: 'plain', actions: [] },
  not_sent: { name: 'not sent', tone: 'plain', actions: [] },
  expired: { name: 'expired', tone: 'plain', actions: [] },
  cancelled: { name: 'cancelled', tone: 'plain', actions: [] },
}
