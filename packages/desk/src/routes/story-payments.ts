import { isTonplugError } from '@tonplug/core'
import type { Order } from '@tonplug/core'
import {
  isSamePayment,
  type ListedTransfer,
  type Operator,
  type RefundProgress,
} from '@tonplug/core/operator'
import type { RefundSigning, SituationState, StoryPayment, StoryRefund } from '../api.js'
import { shownAddress } from '../words/addresses.js'
import { coinFacts, coinsOf, offeredFacts, type Coin } from '../words/coins.js'
import { isToldByChain, stateOf } from '../words/payment-state.js'
import type { Vocabulary } from '../words/sentences.js'
import { actionsFor, paymentSituation } from '../words/situation.js'
import type { RefundReader } from './refunds.js'
import type { Signings } from './signings.js'

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

/** Sources of the payments of a story. */
export interface PaymentSources {
  operator: Pick<Operator, 'list'>
  words: Vocabulary
  refunds: RefundReader
  signings: Pick<Signings, 'read'>
  /** The operator may sign refunds. */
  maySign: boolean
}

/** Returns a payment of a story. @param order is named by the payment */
export async function toStoryPayment(
  group: PaymentGroup,
  { operator, words, refunds, signings, maySign }: PaymentSources,
  order: Order | null,
): Promise<StoryPayment> {
  const { main, reports } = group
  const { reportId, merchant, reference, txHash, transfer, decision } = main
  const [newest] = group.refunds
  const progress = newest && (await refunds.read(newest.reportId))
  const signing = newest && (await signings.read(newest.reportId))
  const state = stateOfGroup(group, progress, order)
  const usedBy = state === 'settled' ? await userOf(operator, main) : undefined
  const coin =
    transfer &&
    words.coins.of(transfer.asset, {
      ...(order && offeredFacts(order, transfer.asset)),
      ...coinFacts(transfer),
    })
  const refunded = newest?.decision?.kind === 'refund' ? newest.decision.rawAmount : undefined
  const known = { payment: main, order, usedBy, refunded }
  const surplus = decision?.kind === 'paid' ? decision.surplus : undefined
  const isLeft = surplus !== undefined && newest === undefined
  const heardAtMs = Math.min(...reports.map(({ receivedAtMs }) => receivedAtMs))
  const paidAtMs = Date.parse(transfer?.date ?? '')
  const isShown = reports.some(({ source }) => source === 'chain')
  const actions = actionsFor(state, order, isLeft).filter(
    // A webhook may name a wallet that is not of the shop.
    (action) => action !== 'refund' || state !== 'wrong_wallet' || isShown,
  )
  return {
    situation: paymentSituation(known, words, state),
    actions: actions.filter((action) => txHash !== '' || action === 'reprocess'),
    reportId,
    reportIds: reports.map((report) => report.reportId),
    merchant,
    reference,
    txHash,
    amount: coin && transfer && coinsOf(transfer.rawAmount, coin),
    sender: transfer && transfer.senderAddr && shownAddress(transfer.senderAddr, words.network),
    recipient: transfer && shownAddress(transfer.recipientAddr, words.network),
    isNative: coin?.asset === 'TON',
    isOneOfSeveral: false,
    surplus: coin && surplus && coinsOf(surplus, coin),
    comment: transfer?.isCommentEncrypted
      ? 'Encrypted. Only the wallet that was paid can read it.'
      : transfer?.commentToRecipient,
    paidAtMs: Number.isNaN(paidAtMs) ? undefined : paidAtMs,
    heardAtMs,
    refund: newest && toRefund(newest, { coin, words, progress, signing, maySign }),
  }
}

const REFUND_STATES = {
  open: 'refund_open',
  expired: 'refund_expired',
  sent: 'refund_sent',
  refunded: 'refund_arrived',
} as const satisfies Record<RefundProgress['state'], SituationState>

/** An order whose surplus has arrived at the payer is paid. */
function stateOfGroup(
  { main, refunds }: PaymentGroup,
  progress: RefundProgress | undefined,
  order: Order | null,
): SituationState {
  if (refunds.length === 0) return stateOf(main, order)
  if (progress === undefined) return 'refund_opened'
  const isPaid = main.decision?.kind === 'paid'
  return isPaid && progress.state === 'refunded'
    ? stateOf(main, order)
    : REFUND_STATES[progress.state]
}

/** Returns the order that the money of a payment has paid. */
async function userOf(
  operator: Pick<Operator, 'list'>,
  { txHash, reference }: ListedTransfer,
): Promise<string | undefined> {
  if (txHash === '') return undefined
  const [paid] = await operator.list({ transactionHash: txHash, decision: 'paid', limit: 1 })
  return paid === undefined || paid.reference === reference ? undefined : paid.reference
}

function toRefund(
  { reportId, decision, by = '', reason, receivedAtMs, transfer }: ListedTransfer,
  {
    coin,
    words,
    progress,
    signing,
    maySign,
  }: Pick<PaymentSources, 'words' | 'maySign'> & {
    coin: Coin | undefined
    progress: RefundProgress | undefined
    signing: RefundSigning | undefined
  },
): StoryRefund {
  const isRefund = decision?.kind === 'refund'
  const rawAmount = isRefund ? decision.rawAmount : (transfer?.rawAmount ?? '')
  const { request, link, txHash } = progress ?? {}
  const validUntilMs = (isRefund ? decision.validUntil : 0) * 1000
  const wallet = request && shownAddress(request.from, words.network)
  const toSign = request && wallet && { reportId, wallet, link, request, validUntilMs, signing }
  return {
    by,
    reason,
    openedAtMs: receivedAtMs,
    validUntilMs,
    amount: coinsOf(rawAmount, coin ?? {}),
    txHash,
    ...(maySign && toSign && { toSign }),
  }
}

/** Marks the payments of an order that can be accepted together. */
export function markSeveral(payments: readonly StoryPayment[]): StoryPayment[] {
  const isHeld = ({ actions, reference }: StoryPayment): boolean =>
    actions.includes('accept') && reference !== ''
  const isSeveral = payments.filter(isHeld).length > 1
  return payments.map((one) => ({ ...one, isOneOfSeveral: isSeveral && isHeld(one) }))
}

/** Sorts payments by urgency: an open refund, what needs an operator, the rest; each newest first. */
export function byUrgency(one: StoryPayment, other: StoryPayment): number {
  return urgencyOf(one) - urgencyOf(other) || other.heardAtMs - one.heardAtMs
}

/** Refunds that are not over. */
const REFUNDING: ReadonlySet<SituationState> = new Set([
  'refund_opened',
  'refund_open',
  'refund_expired',
  'refund_sent',
])

function urgencyOf({ situation: { state, todo } }: StoryPayment): number {
  if (REFUNDING.has(state)) return 0
  if (todo !== undefined) return 1
  return state === 'paid' ? 2 : 3
}
