import { isTonplugError } from '@tonplug/core'
import type { Order } from '@tonplug/core'
import { isSamePayment, type ListedTransfer, type Operator } from '@tonplug/core/operator'
import type { SituationState, StoryPayment, StoryRefund } from '../api.js'
import { shownAddress } from '../words/addresses.js'
import { coinFacts, coinsOf, offeredFacts } from '../words/coins.js'
import { isToldByChain, stateOf } from '../words/payment-state.js'
import type { Vocabulary } from '../words/sentences.js'
import { actionsFor, paymentSituation } from '../words/situation.js'

/** The reports of one payment. */
interface PaymentGroup {
  /** The report that decides the state. */
  main: ListedTransfer
  /** All reports, newest first. */
  reports: ListedTransfer[]
  /** Refunds that operators have opened, newest first. */
  refunds: ListedTransfer[]
}

/** Groups reports by payment. @param listed newest first */
export function groupPayments(listed: readonly ListedTransfer[]): PaymentGroup[] {
  const groups: ListedTransfer[][] = []
  for (const report of listed) {
    const same = groups.find((group) => group.some((other) => isSame(report, other)))
    if (same === undefined) groups.push([report])
    else same.push(report)
  }
  return groups.map((all) => {
    const isRefund = ({ decision }: ListedTransfer): boolean => decision?.kind === 'refund'
    const reports = all.filter((report) => !isRefund(report))
    const [main] = reports.toSorted((one, other) => placeOf(one) - placeOf(other))
    // A refund without its payment represents it.
    const [first] = all
    if (first === undefined) throw new TypeError('expected a report')
    return { main: main ?? first, reports: all, refunds: all.filter(isRefund) }
  })
}

function isSame(one: ListedTransfer, other: ListedTransfer): boolean {
  if (one.txHash === '' || other.txHash === '') return false
  const traceId = one.transfer?.traceId ?? ''
  const transfer = { traceId: other.transfer?.traceId ?? '' }
  try {
    return isSamePayment({ ...one, traceId }, { ...other, transfer })
  } catch (error) {
    if (isTonplugError(error)) return false
    throw error
  }
}

/** The report that completed an order comes first, a repetition last. */
function placeOf({ decision }: ListedTransfer): number {
  if (decision?.kind === 'paid') return 0
  if (decision !== undefined && isToldByChain(decision)) return 2
  return decision?.kind === 'duplicate' ? 3 : 1
}

/** Returns a payment of a story. @param order the one that the payment names */
export async function toStoryPayment(
  group: PaymentGroup,
  { operator, words, order }: { operator: Operator; words: Vocabulary; order: Order | null },
): Promise<StoryPayment> {
  const { main, reports, refunds } = group
  const { reportId, merchant, txHash, transfer } = main
  const state = stateOfGroup(group)
  const usedBy = state === 'settled' ? await userOf(operator, main) : undefined
  const known = { payment: main, order, usedBy }
  const coin =
    transfer &&
    words.coins.of(transfer.asset, {
      ...(order && offeredFacts(order, transfer.asset)),
      ...coinFacts(transfer),
    })
  const heardAtMs = Math.min(...reports.map(({ receivedAtMs }) => receivedAtMs))
  const paidAtMs = Date.parse(transfer?.date ?? '')
  return {
    situation: paymentSituation(known, words, state),
    actions: actionsFor(state, order).filter((action) => txHash !== '' || action === 'reprocess'),
    reportId,
    reportIds: reports.map((report) => report.reportId),
    merchant,
    txHash,
    amount: coin && transfer && coinsOf(transfer.rawAmount, coin),
    sender: transfer && transfer.senderAddr && shownAddress(transfer.senderAddr, words.network),
    recipient: transfer && shownAddress(transfer.recipientAddr, words.network),
    isNative: coin?.asset === 'TON',
    comment: transfer?.isCommentEncrypted
      ? 'Encrypted. Only the wallet that was paid can read it.'
      : transfer?.commentToRecipient,
    paidAtMs: Number.isNaN(paidAtMs) ? undefined : paidAtMs,
    heardAtMs,
    refund: refunds[0] && toRefund(refunds[0]),
  }
}

function stateOfGroup({ main, refunds }: PaymentGroup): SituationState {
  return refunds.length > 0 && main.decision?.kind !== 'paid' ? 'refund_open' : stateOf(main)
}

/** Returns the order that the money of a payment has paid. */
async function userOf(
  operator: Operator,
  { txHash, reference }: ListedTransfer,
): Promise<string | undefined> {
  if (txHash === '') return undefined
  const [paid] = await operator.list({ transactionHash: txHash, decision: 'paid', limit: 1 })
  return paid === undefined || paid.reference === reference ? undefined : paid.reference
}

function toRefund({ decision, by = '', reason, receivedAtMs }: ListedTransfer): StoryRefund {
  const validUntil = decision?.kind === 'refund' ? decision.validUntil : 0
  return { by, reason, openedAtMs: receivedAtMs, validUntilMs: validUntil * 1000 }
}

/** Sorts payments by urgency: an open refund, what needs an operator, the rest; each newest first. */
export function byUrgency(one: StoryPayment, other: StoryPayment): number {
  return urgencyOf(one) - urgencyOf(other) || other.heardAtMs - one.heardAtMs
}

function urgencyOf({ situation: { state, todo } }: StoryPayment): number {
  if (state === 'refund_open') return 0
  if (todo !== undefined) return 1
  return state === 'paid' ? 2 : 3
}
