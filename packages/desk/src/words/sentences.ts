import type { Order } from '@tonplug/core'
import type { ListedTransfer } from '@tonplug/core/operator'
import type { SituationState } from '../api.js'
import type { DeskOptions } from '../options.js'
import { shortAddress, shownAddress } from './addresses.js'
import { coinFacts, coinsOf, offeredFacts, type Coin, type Coins } from './coins.js'

/** A payment, and what is known about its order. */
export interface PaymentFacts {
  payment: ListedTransfer
  /** The order that it names; on its page only. */
  order?: Order | null | undefined
  /** The order that the money has paid in the meantime. */
  usedBy?: string | undefined
  /** The amount of its newest refund, in base units. */
  refunded?: string | undefined
}

/** The words of one desk. */
export interface Vocabulary {
  coins: Coins
  network: DeskOptions['network']
}

/** Returns what happened to a payment, in one or two sentences. */
export function sentenceOf(
  state: SituationState,
  facts: PaymentFacts,
  { coins, network }: Vocabulary,
): string {
  const { payment, order, usedBy } = facts
  const { transfer, reference } = payment
  if (transfer === undefined) return 'A message arrived that cannot be read.'
  const coin = coins.of(transfer.asset, {
    ...offeredFactsOf(order, transfer.asset),
    ...coinFactsOf(transfer),
  })
  const amount = coinsOf(transfer.rawAmount, coin)
  const sender = transfer.senderAddr
  const from = sender === '' ? '' : ` from ${shortAddress(shownAddress(sender, network))}`
  const arrived = `${amount} arrived${from}`
  const returned = coinsOf(refundedOf(facts) ?? transfer.rawAmount, coin)
  const payer = shortAddress(shownAddress(sender, network))
  const where = `order ${reference === '' ? (order?.reference ?? '') : reference}`
  const wanted = expectedOf(facts, coins)
  switch (state) {
    case 'paid':
    case 'task_failed':
      return paidSentence({ payment, arrived, coin, state, refunded: facts.refunded })
    case 'partly_paid':
      return partSentence({ payment, coin, amount, from, wanted })
    case 'too_much':
      return `${arrived}, but ${where} asks for ${wanted}.`
    case 'wrong_coin':
      return `${arrived}, but ${where} asks for ${wanted ?? 'another coin'}.`
    case 'late':
      return `${arrived} for ${where}, after the end of its price.`
    case 'unknown_order':
      return `${arrived}${unknownReason(payment)}`
    case 'wrong_wallet':
      return `${amount} for ${where} was sent${from} to ${shortAddress(shownAddress(transfer.recipientAddr, network))}, which is not the wallet of the order.`
    case 'paid_after_cancelling':
      return `${arrived} for ${where}, which had been cancelled.`
    case 'paid_twice':
      return `${arrived} for ${where}, which was already paid.`
    case 'waiting_for_proof':
      return `${amount} for ${where} was announced. The proof on the chain is pending: wait, and ship nothing yet.`
    case 'proof_failed':
      return `${amount} for ${where} was announced, but the chain does not confirm it.`
    case 'needs_decision':
      return `${arrived} for ${where}. ${rejectionOf(payment)}`
    case 'refund_opened':
      return `A refund of ${returned} to ${payer} was opened. Its page shows whether it has arrived.`
    case 'refund_open':
      return `A refund of ${returned} to ${payer} is open.`
    case 'refund_expired':
      return `The refund of ${returned} to ${payer} was not signed in time.`
    case 'refund_sent':
      return `${returned} is on its way back to ${payer}.`
    case 'refund_arrived':
      return `${returned} was sent back to ${payer}.`
    case 'settled':
      return usedBy === undefined
        ? `${arrived}. The money was used since: for an order, or for a refund.`
        : `${arrived}, and has paid order ${usedBy}.`
    case 'repeated':
      return `${amount} for ${where} was announced again. It counts once.`
    case 'not_sent':
      return `A transfer of ${amount} for ${where} did not succeed. No money arrived.`
    case 'not_readable':
      return 'A message arrived that cannot be read.'
    case 'waiting':
    case 'expired':
    case 'cancelled':
      return `${amount} was announced${from}, and is being checked.`
  }
}

function refundedOf({ payment: { decision }, refunded }: PaymentFacts): string | undefined {
  return decision?.kind === 'refund' ? decision.rawAmount : refunded
}

function offeredFactsOf(order: Order | null | undefined, asset: string): Partial<Coin> {
  return order ? defined(offeredFacts(order, asset)) : {}
}

function coinFactsOf(transfer: NonNullable<ListedTransfer['transfer']>): Partial<Coin> {
  return defined(coinFacts(transfer))
}

function defined(facts: Partial<Coin>): Partial<Coin> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

/** Returns the price in words; all offers of an order that does not ask for the coin of the payment. */
function expectedOf({ payment, order }: PaymentFacts, coins: Coins): string | undefined {
  const { decision, transfer } = payment
  if (order) {
    const offers = order.offers ?? [order]
    return offers
      .map(({ rawAmount = 0n, asset = '', ...offer }) =>
        coinsOf(`${rawAmount}`, coins.of(asset, 'decimals' in offer ? offer : {})),
      )
      .join(' or ')
  }
  if (decision?.kind !== 'amount_mismatch' || transfer === undefined) return undefined
  // Without the order, the coin is known only where it is that of the payment.
  if (decision.asset !== undefined) return undefined
  return coinsOf(decision.expected, coins.of(transfer.asset, coinFacts(transfer)))
}

function paidSentence({
  payment: { decision, reference, handlers },
  arrived,
  coin,
  state,
  refunded,
}: {
  payment: ListedTransfer
  arrived: string
  coin: Coin
  state: SituationState
  refunded: string | undefined
}): string {
  const surplus = decision?.kind === 'paid' ? decision.surplus : undefined
  const isAccepted = decision?.kind === 'paid' && decision.amountRule === 'accepted'
  const more = surplus === undefined ? '' : ` It is ${coinsOf(surplus, coin)} more than the price.`
  const back = refunded === undefined ? '' : ` ${coinsOf(refunded, coin)} was sent back.`
  const extra = `${more}${back}`
  const paid = `${arrived}. Order ${reference} is paid${isAccepted ? ': what arrived was accepted' : ''}.${extra}`
  if (state === 'paid') return paid
  const failed = handlers.filter((task) => task.state === 'dead').map(({ handler }) => handler)
  return `${paid} The task ${failed.join(' and ')} of the shop has failed.`
}

function partSentence({
  payment: { decision, reference, totalReceived },
  coin,
  amount,
  from,
  wanted,
}: {
  payment: ListedTransfer
  coin: Coin
  amount: string
  from: string
  wanted: string | undefined
}): string {
  if (decision?.kind !== 'amount_mismatch') return ''
  const total = totalReceived ?? decision.received
  const missing = BigInt(decision.expected) - BigInt(total)
  const rest = missing > 0n ? ` ${coinsOf(`${missing}`, coin)} is missing.` : ''
  const sum =
    total === decision.received
      ? ''
      : ` Together ${coinsOf(total, coin)} has arrived for the order.`
  return `${amount} of ${wanted ?? 'the price'} arrived${from} for order ${reference}.${sum}${rest}`
}

function unknownReason({ reference, transfer }: ListedTransfer): string {
  if (reference !== '') return ` for “${reference}”, but the shop has no such order.`
  if (transfer?.isCommentEncrypted === true) return ' with an encrypted comment.'
  const comment = transfer?.commentToRecipient ?? ''
  return comment === ''
    ? ' without a comment, so its order is unknown.'
    : ` with the comment “${comment}”, which names no order.`
}

function rejectionOf({ decision }: ListedTransfer): string {
  if (decision?.kind === 'rejected') return `The shop does not accept it: ${decision.reason}`
  return decision?.kind === 'amount_mismatch'
    ? 'Its amount cannot be compared with the price.'
    : 'It does not fit the order.'
}
