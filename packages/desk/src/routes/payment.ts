import type { Order } from '@tonplug/core'
import type { AuditRecord, PaymentStory, StoryHandler, StoryOrder, StoryReport } from '../api.js'
import type { DeskPayments } from '../options.js'
import { DeskRequestError, toJson } from '../responses.js'
import { toRow, type ListedTransfer } from './transfers.js'

/** More than the reports of any usual order; the newest are shown, and the one that was asked for. */
const MAX_REPORTS = 50

/** The result of `payments.explain` for a known report. */
type Explanation = NonNullable<Awaited<ReturnType<DeskPayments['explain']>>>

/**
 * Returns the story of a payment: of the order with this reference, or of one report and the others of its order.
 * @throws {DeskRequestError} for an unknown payment.
 */
export async function readStory(
  payments: DeskPayments,
  parameters: URLSearchParams,
): Promise<PaymentStory> {
  const { listed, key } = await find(payments, parameters)
  const explained = await Promise.all(
    listed.map(async (one) => ({ listed: one, facts: await payments.explain(one.reportId) })),
  )
  const known = explained.flatMap(({ listed: one, facts }) =>
    facts === undefined ? [] : [{ listed: one, facts }],
  )
  const [newest] = known
  const order = newest === undefined ? await findOrder(payments, key) : newest.facts.order
  if (order === null && newest === undefined) {
    throw new DeskRequestError(404, 'NOT_FOUND', 'There is no order and no report of this payment.')
  }
  return {
    ...(order !== null && { order: toOrder(order, known) }),
    reports: known.map(({ listed: one, facts }) => toReport(one, facts)),
    audit: known.flatMap(({ facts }) => facts.actions.map(toAudit)).toSorted(byTime),
  }
}

async function find(
  payments: DeskPayments,
  parameters: URLSearchParams,
): Promise<{ listed: ListedTransfer[]; key: { reference: string; merchant: string } }> {
  const reportId = parameters.get('reportId')
  if (reportId !== null) {
    const [one] = await payments.list({ reportId, limit: 1 })
    if (one === undefined) {
      throw new DeskRequestError(404, 'NOT_FOUND', 'There is no report with this id.')
    }
    const { reference, merchant } = one
    if (reference === '') return { listed: [one], key: { reference, merchant } }
    const order = await listOf(payments, { reference, merchant })
    const isListed = order.listed.some((other) => other.reportId === one.reportId)
    return isListed ? order : { ...order, listed: [...order.listed, one] }
  }
  const reference = parameters.get('reference') ?? ''
  if (reference === '') {
    throw new DeskRequestError(400, 'INVALID', 'Give a reference or a reportId.')
  }
  return listOf(payments, { reference, merchant: parameters.get('merchant') ?? '' })
}

async function listOf(
  payments: DeskPayments,
  key: { reference: string; merchant: string },
): ReturnType<typeof find> {
  return { listed: await payments.list({ ...key, limit: MAX_REPORTS }), key }
}

async function findOrder(
  { orders }: DeskPayments,
  key: { reference: string; merchant: string },
): Promise<Order | null> {
  return (await orders.find(key)) ?? null
}

/** Fields that the pages show elsewhere. */
const SHOWN = new Set(['reference', 'merchant', 'status', 'rawAmount', 'asset', 'createdAt'])

function toOrder(order: Order, known: readonly { listed: ListedTransfer }[]): StoryOrder {
  const { reference, merchant = '', status, rawAmount, asset, payment, createdAt } = order
  const expiresAt: unknown = Reflect.get(order, 'expiresAt')
  const paid = known.find(({ listed }) => listed.decision?.kind === 'paid') ?? known[0]
  const row = paid === undefined ? undefined : toRow(paid.listed)
  const isNative = asset === 'TON' || asset === 'GRAM'
  const isSameAsset = row?.asset === asset
  return {
    reference,
    merchant,
    status,
    expectedAmount: rawAmount.toString(),
    receivedAmount: payment?.rawAmount.toString(),
    asset,
    ticker: isSameAsset ? row.ticker : undefined,
    decimals: isNative ? 9 : isSameAsset ? row.decimals : undefined,
    createdAtMs: createdAt?.getTime() ?? 0,
    expiresAtMs: expiresAt instanceof Date ? expiresAt.getTime() : undefined,
    details: Object.fromEntries(
      Object.entries(order).filter(([name, value]) => !SHOWN.has(name) && isJson(value)),
    ),
  }
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

function toReport(listed: ListedTransfer, facts: Explanation): StoryReport {
  const { decision, transfer, problem, by, note, handlers } = listed
  const { rawBody, signedWith, rules } = facts
  return {
    ...toRow(listed),
    decisionDetail: decision,
    rules,
    proof: proofOf(decision),
    signedWith: signedWith === '' ? undefined : signedWith,
    by,
    note,
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

function toAudit({
  action,
  by,
  note,
  atMs,
  reportId,
}: Explanation['actions'][number]): AuditRecord {
  return { action, by, note: note === '' ? undefined : note, atMs, reportId }
}

function byTime(one: AuditRecord, other: AuditRecord): number {
  return other.atMs - one.atMs
}
