import type { Offer, Order, OrderRepository } from '@tonplug/core'
import type {
  InspectedReport,
  ListedTransfer,
  Operator,
  ReportAction,
} from '@tonplug/core/operator'
import type { AuditRecord, PaymentStory, StoryHandler, StoryOrder, StoryReport } from '../api.js'
import { DeskRequestError, toJson } from '../responses.js'
import type { Vocabulary } from '../words/sentences.js'
import { orderSituation } from '../words/situation.js'
import { namedReference } from './named-orders.js'
import {
  byUrgency,
  groupPayments,
  markSeveral,
  toStoryPayment,
  type PaymentSources,
} from './story-payments.js'
import { timelineOf } from './timeline.js'
import { toRow } from './transfers.js'

/** More than the reports of any usual order; the newest are shown, and the requested one. */
const MAX_REPORTS = 50

/** Sources of a story. */
export interface StorySources extends PaymentSources {
  operator: Operator
  orders: Pick<OrderRepository, 'find'>
}

/**
 * Returns the story of a payment: of the order with this reference, or of one report and the others of its order.
 * @throws {DeskRequestError} for an unknown payment.
 */
export async function readStory(
  sources: StorySources,
  parameters: URLSearchParams,
): Promise<PaymentStory> {
  const { operator, orders, words } = sources
  const { listed, key } = await find(sources, parameters)
  const explained = await Promise.all(
    listed.map(async (one) => ({ listed: one, facts: await operator.inspect(one.reportId) })),
  )
  const known = explained.flatMap(({ listed: one, facts }) =>
    facts === undefined ? [] : [{ listed: one, facts }],
  )
  const [newest] = known
  const isNamed = newest === undefined || (newest.facts.order === null && key.reference !== '')
  const order = isNamed ? ((await orders.find(key)) ?? null) : newest.facts.order
  const groups = groupPayments(known.map((one) => one.listed))
  const payments = await Promise.all(groups.map((group) => toStoryPayment(group, sources, order)))
  const sorted = markSeveral(payments).toSorted(byUrgency)
  const situation =
    sorted[0]?.situation ?? (order === null ? undefined : orderSituation(order, words))
  if (situation === undefined) {
    throw new DeskRequestError(404, 'NOT_FOUND', 'There is no order and no payment of this name.')
  }
  const audit = known
    .flatMap(({ listed: one, facts }) =>
      facts.actions.map((action) => toAudit(action, one.reportId)),
    )
    .toSorted(byTime)
  const reports = known.map(({ listed: one }) => one)
  return {
    situation,
    payments: sorted,
    timeline: timelineOf({ order, payments: sorted, reports, audit }),
    ...(order !== null && { order: toOrder(order, known, words) }),
    reports: known.map(({ listed: one, facts }) => toReport(one, facts, words)),
    audit,
  }
}

async function find(
  { operator, orders }: Pick<StorySources, 'operator' | 'orders'>,
  parameters: URLSearchParams,
): Promise<{ listed: ListedTransfer[]; key: { reference: string; merchant: string } }> {
  const reportId = parameters.get('reportId')
  if (reportId !== null) {
    const [one] = await operator.list({ reportId, limit: 1 })
    if (one === undefined) {
      throw new DeskRequestError(404, 'NOT_FOUND', 'There is no payment with this id.')
    }
    const { reference, merchant } = one
    if (reference === '') {
      const named = { reference: namedReference(one) ?? '', merchant }
      const isOrder = named.reference !== '' && (await orders.find(named)) !== null
      return isOrder
        ? listWith(operator, named, one)
        : { listed: await sameMoney(operator, one), key: { reference, merchant } }
    }
    return listWith(operator, { reference, merchant }, one)
  }
  const reference = parameters.get('reference') ?? ''
  if (reference === '') {
    throw new DeskRequestError(400, 'INVALID', 'Give a reference or a reportId.')
  }
  return listOf(operator, { reference, merchant: parameters.get('merchant') ?? '' })
}

/** Returns the reports about the money of one without an order: refunds, too. */
async function sameMoney(operator: Operator, one: ListedTransfer): Promise<ListedTransfer[]> {
  if (one.txHash === '') return [one]
  const { merchant, txHash: transactionHash } = one
  return operator.list({ merchant, reference: '', transactionHash, limit: MAX_REPORTS })
}

/** Returns the reports of an order, and a report that newer ones may hide, with its refunds. */
async function listWith(
  operator: Operator,
  key: { reference: string; merchant: string },
  one: ListedTransfer,
): ReturnType<typeof find> {
  const { listed } = await listOf(operator, key)
  if (listed.some((other) => other.reportId === one.reportId)) return { listed, key }
  const own = one.reference === '' ? await sameMoney(operator, one) : [one]
  return { listed: newestFirst([...listed, ...own]), key }
}

async function listOf(
  operator: Operator,
  key: { reference: string; merchant: string },
): ReturnType<typeof find> {
  const [listed, commented] = await Promise.all([
    operator.list({ ...key, limit: MAX_REPORTS }),
    operator.list({ comment: key.reference, decision: 'unknown_order', limit: MAX_REPORTS }),
  ])
  // The customer has named the order in the comment, and paid another wallet.
  const strays = commented.filter(
    (one) => one.merchant === key.merchant && namedReference(one) === key.reference,
  )
  const refunds = await Promise.all(strays.map((one) => sameMoney(operator, one)))
  return { listed: newestFirst([...listed, ...refunds.flat()]), key }
}

/** Sorts transfers by arrival, without repetitions. */
function newestFirst(listed: readonly ListedTransfer[]): ListedTransfer[] {
  const unique = new Map(listed.map((one) => [one.reportId, one]))
  return [...unique.values()].toSorted((one, other) => other.receivedAtMs - one.receivedAtMs)
}

/** Fields that the pages show elsewhere. */
const SHOWN = new Set(['reference', 'merchant', 'status', 'rawAmount', 'asset', 'createdAt'])

function toOrder(
  order: Order,
  known: readonly { listed: ListedTransfer }[],
  words: Vocabulary,
): StoryOrder {
  const { reference, merchant = '', status, payment, createdAt } = order
  const expiresAt: unknown = Reflect.get(order, 'expiresAt')
  const paid = known.find(({ listed }) => listed.decision?.kind === 'paid') ?? known[0]
  const row = paid === undefined ? undefined : toRow(paid.listed, words)
  const offer = shownOffer(order, payment?.asset ?? row?.asset)
  const { rawAmount = 0n, asset = '' } = offer
  const isSameAsset = row?.asset === asset
  const coin = words.coins.of(asset, {
    ticker: isSameAsset ? row.ticker : undefined,
    decimals: 'decimals' in offer ? offer.decimals : isSameAsset ? row.decimals : undefined,
  })
  return {
    reference,
    merchant,
    status,
    expectedAmount: rawAmount.toString(),
    receivedAmount: payment?.rawAmount.toString(),
    asset,
    ticker: coin.ticker,
    decimals: coin.decimals,
    createdAtMs: createdAt?.getTime() ?? 0,
    expiresAtMs: expiresAt instanceof Date ? expiresAt.getTime() : undefined,
    details: Object.fromEntries(
      Object.entries(order).filter(([name, value]) => !SHOWN.has(name) && isJson(value)),
    ),
  }
}

/** Returns the offer in the asset of a payment; without one, the first. The details show all offers. */
function shownOffer(
  order: Order,
  asset: string | undefined,
): Pick<Order, 'rawAmount' | 'asset'> | Offer {
  const { offers } = order
  return offers ? (offers.find((offer) => offer.asset === asset) ?? offers[0] ?? order) : order
}

/** Returns false for a value that refers to itself: entities of an ORM may. */
function isJson(value: unknown): boolean {
  try {
    toJson(value)
    return true
  } catch {
    return false
  }
}

function toReport(listed: ListedTransfer, facts: InspectedReport, words: Vocabulary): StoryReport {
  const { decision, transfer, problem, by, reason, handlers } = listed
  const { rawBody, signedWith, rules } = facts
  return {
    ...toRow(listed, words),
    decisionDetail: decision,
    rules,
    proof: proofOf(decision),
    signedWith: signedWith === '' ? undefined : signedWith,
    by,
    reason,
    problem,
    comment: transfer?.commentToRecipient,
    isCommentEncrypted: transfer?.isCommentEncrypted,
    body: rawBody,
    handlers: handlers.map(toHandler),
  }
}

/** The proof is part of the decision: of one that waits for it, that it refused, or that it has proven. */
function proofOf(decision: ListedTransfer['decision']): StoryReport['proof'] {
  switch (decision?.kind) {
    case 'verifying':
      return { verdict: 'waiting' }
    case 'unverified':
      return { verdict: decision.reason, reason: decision.detail }
    case 'paid':
      return decision.proof === undefined
        ? undefined
        : { verdict: 'proven', reason: `message ${decision.proof.message}` }
    default:
      return undefined
  }
}

function toHandler({
  id,
  handler,
  state,
  attempts,
  isRunning,
  ...task
}: ListedTransfer['handlers'][number]): StoryHandler {
  return {
    taskId: id,
    handler,
    state,
    attempts,
    isRunning,
    dueAtMs: task.dueAtMs,
    relayedAtMs: task.relayedAtMs,
    error: task.error,
  }
}

function toAudit({ action, by, reason, atMs }: ReportAction, reportId: string): AuditRecord {
  return { action, by, reason: reason === '' ? undefined : reason, atMs, reportId }
}

function byTime(one: AuditRecord, other: AuditRecord): number {
  return other.atMs - one.atMs
}
