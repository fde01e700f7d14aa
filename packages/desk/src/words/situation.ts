import type { Order } from '@tonplug/core'
import type { DeskAction, Situation, SituationState } from '../api.js'
import { coinsOf } from './coins.js'
import { stateOf } from './payment-state.js'
import { sentenceOf, type PaymentFacts, type Vocabulary } from './sentences.js'
import { STATES } from './states.js'

/** Returns the situation of a payment. @param known replaces the state that the decision implies */
export function paymentSituation(
  facts: PaymentFacts,
  words: Vocabulary,
  known?: SituationState,
): Situation {
  const state = known ?? stateOf(facts.payment, facts.order)
  return toSituation(state, sentenceOf(state, facts, words))
}

/** Returns the situation of an order for which no money has arrived. */
export function orderSituation(order: Order, { coins }: Vocabulary): Situation {
  const { reference, status } = order
  const price = (order.offers ?? [order])
    .map(({ rawAmount = 0n, asset = '' }) => coinsOf(`${rawAmount}`, coins.of(asset)))
    .join(' or ')
  switch (status) {
    case 'completed':
      return toSituation(
        'paid',
        `Order ${reference} is paid. No payment on the chain is known for it.`,
      )
    case 'cancelled':
      return toSituation(
        'cancelled',
        `Order ${reference} was cancelled. No money has arrived for it.`,
      )
    case 'expired':
      return toSituation(
        'expired',
        `Order ${reference} of ${price} has expired. No money has arrived for it.`,
      )
    case 'pending':
    case 'failed':
      return toSituation(
        'waiting',
        `Order ${reference} asks for ${price}. No money has arrived yet.`,
      )
  }
}

function toSituation(state: SituationState, happened: string): Situation {
  const { name, tone, todo, actions } = STATES[state]
  return { state, name, tone, happened, ...(todo !== undefined && { todo, action: actions[0] }) }
}

/**
 * Returns the actions that make sense, the first one first.
 * @param hasSurplus an order is paid, and has left something of the payment
 */
export function actionsFor(
  state: SituationState,
  order: Order | null,
  hasSurplus: boolean,
): DeskAction[] {
  const isOpen = order && ['pending', 'failed', 'expired'].includes(order.status)
  const { actions } = STATES[state]
  const isPaid = state === 'paid' || state === 'task_failed'
  const surplus: DeskAction[] = isPaid && hasSurplus ? ['refund'] : []
  return [...actions.filter((action) => action !== 'accept' || isOpen === true), ...surplus]
}
