import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { TaskOutcome } from '../inbox/inbox-tasks.js'
import type { NamedOrder, StoredCredit } from '../inbox/inbox-credits.js'
import { ownTransactions, payerMessage, type Credit } from '../ledger/credit.js'
import { toTransfer } from '../ledger/credited-transfer.js'
import type { VerifiedPayment } from '../ledger/payment-verifier.js'
import { orderId, type Order, type OrderKey } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { backoffDelay } from '../../shared/timers.js'
import { askProof, fittingOrder } from './ask-proof.js'
import type { EngineParts, ProvingParts } from './engine-parts.js'
import { storeProven } from './proven-credits.js'
import {
  createTransferReport,
  isTrusted,
  isUseOf,
  keyOf,
  paymentClaims,
  toNewReport,
} from './report.js'
import type { RunnableTask } from './run-task.js'
import { decideAgain, decideStored, storeReport, type StoredReport } from './submit.js'
import { creditForOrder, LONGEST_WAIT_MS, type ShownCredit } from './bad-news.js'

const BACKOFF = { minDelayMs: 2000, maxDelayMs: 3_600_000 }

/** Money without an order belongs to no merchant. */
const NO_ORDER = { merchant: '', reference: '' }

/**
 * Looks once for the money of a report that fits no order. Found credits are stored, and reported as a watcher reports them. A
 * report of money that the chain does not show stays as it is, for an operator.
 */
export async function showCredits<O extends Order>(
  engine: ProvingParts<O>,
  { task, report }: { task: RunnableTask; report: Report },
  signal: AbortSignal,
): Promise<TaskOutcome> {
  const { orders, inbox } = engine.stores
  const { clock, logger, isWatched } = engine.runtime
  const transfer = readStoredTransfer(report.rawBody)
  const verdict = await askProof(engine, { transfer, order: fittingOrder(transfer) }, signal)
  const { reference, txHash } = report
  if (verdict.kind === 'pending') {
    const { reason, detail } = verdict
    if (clock.nowMs() - report.receivedAtMs >= LONGEST_WAIT_MS) return { kind: 'done' }
    const retryInMs = backoffDelay(BACKOFF, task.attempt)
    return { kind: 'retry', retryInMs, error: `${reason}: ${detail}` }
  }
  let shown: ShownCredit = { credit: undefined }
  if (verdict.kind === 'verified') {
    const [payment, ...equal] = verdict.payments
    if (equal.length === 0) shown = await shownBy(inbox, report, payment)
    const order = await orders.find(keyOf(report))
    const stored = await storeProven(engine, { report, order }, verdict.payments)
    const isUnknown = report.decision?.kind === 'unknown_order'
    // The watcher may report the credit without an order, or for another one: the webhook of a merchant must not do so, too.
    const isNamed = !isUnknown && stored.every(({ order: named }) => named !== undefined)
    const isLeft = isWatched() && !isTrusted(report) && !isNamed
    const isByCredit = equal.length > 0 || isLeft
    if (!isUnknown || isByCredit) {
      await reportCredits(engine, { report, stored, isUnknown }, verdict.payments)
    }
    if (stored.length > 0 && stored.every((credit) => isOfOther(credit, report))) {
      logger.warn('money of a webhook belongs to another order', { reference, txHash })
      return { kind: 'done' }
    }
    if (isByCredit && stored.length > 0) {
      if (!isUnknown && !isLeft) await reportEqual(engine, { report, stored }, verdict.payments)
      return { kind: 'done' }
    }
  } else if (verdict.reason !== 'unreadable') {
    const { reason, detail } = verdict
    logger.warn('money of a webhook not found on the chain', { reference, txHash, reason, detail })
    return { kind: 'done' }
  }
  const waiting = await inbox.reports.find(report.id)
  if (waiting?.state === 'parked') await decideAgain(engine, waiting, shown)
  return { kind: 'done' }
}

/** A merchant's webhook is reported once for its order, and leaves the credit to the reports of others. */
async function shownBy(
  inbox: CheckedInbox,
  report: Report,
  { credits: [credit], message }: VerifiedPayment,
): Promise<ShownCredit> {
  if (isTrusted(report)) return { credit }
  const { name, merchant, reference } = report
  const query = { name, merchant, reference, decision: 'paid' } as const
  const paid = await allReports(inbox.reports, query)
  const hasPaid = paid.some(
    ({ decision }) =>
      message !== '' && decision?.kind === 'paid' && decision.proof?.message === message,
  )
  return { credit: creditForOrder(report, credit), hasPaid }
}

/**
 * Reports each of several equal payments for the order of a merchant's webhook, as webhooks that name the credits would: none of
 * them takes money from another merchant.
 */
export async function reportEqual<O extends Order>(
  engine: EngineParts<O>,
  { report, stored }: { report: Report; stored: readonly StoredCredit[] },
  payments: readonly VerifiedPayment[],
): Promise<void> {
  const { merchant, source, signedWith } = report
  const named = readStoredTransfer(report.rawBody)
  for (const payment of isTrusted(report) ? [] : payments) {
    const own = stored.filter(({ id }) => payment.credits.includes(id))
    if (own.length === 0 || own.some((one) => one.order || isUsedByOther(one, report))) continue
    const transfer = { ...named, txHash: own[0]?.txHash ?? named.txHash }
    const found = createTransferReport(transfer, { merchant, source })
    const row = toNewReport(report.name, { ...found, signedWith })
    const shown = await shownBy(engine.stores.inbox, report, payment)
    const one = await storeReport(engine.stores, row)
    await decideStored(engine, { ...one, shown }, transfer)
  }
}

/**
 * Reports credits for the orders that they name, otherwise for the order of the webhook, or without an unknown one. All are stored before one is decided:
 * after a failure the others are decided in the background.
 * @throws {RepositoryError} when a store fails.
 */
export async function reportCredits<O extends Order>(
  engine: EngineParts<O>,
  given: { report: Report; stored: readonly StoredCredit[]; isUnknown?: boolean },
  payments: readonly VerifiedPayment[],
): Promise<void> {
  const { report, stored, isUnknown = false } = given
  const added: { one: StoredReport<O>; transfer: TransferData }[] = []
  for (const { message: hash, credits } of payments) {
    for (const credit of stored.filter(({ id }) => credits.includes(id))) {
      const key = isUnknown && credit.order === undefined ? NO_ORDER : orderOf(credit, report)
      if (key === undefined || isUsedByOther(credit, { ...key, name: report.name })) continue
      const message = credit.route.find((one) => one.hash === hash) ?? payerMessage(credit)
      const transfer = toTransfer(key.reference, { credit, message })
      const claims = { credits: [credit.id], transactions: ownTransactions(credit, message) }
      const found = {
        merchant: key.merchant,
        source: 'chain',
        payments: paymentClaims(claims),
      } as const
      const row = toNewReport(report.name, createTransferReport(transfer, found))
      added.push({ one: await storeReport(engine.stores, row), transfer })
    }
  }
  for (const { one, transfer } of added) await decideStored(engine, one, transfer)
}

function isOfOther(credit: StoredCredit, report: Report): boolean {
  const { order } = credit
  const isNamed = order !== undefined && orderId(order) !== orderId(report)
  return isNamed || isUsedByOther(credit, report)
}

function isUsedByOther({ uses }: StoredCredit, { name, merchant, reference }: NamedOrder): boolean {
  const key = { name, merchant, reference }
  return uses.some((use) => use.kind === 'order' && !isUseOf(key, use))
}

/** Returns the order that a credit is reported for. */
function orderOf(
  { order }: Credit & Pick<StoredCredit, 'order'>,
  report: Report,
): Required<OrderKey> | undefined {
  if (order?.name === report.name) return order
  if (order !== undefined) return orderId(order) === orderId(report) ? keyOf(report) : undefined
  return isTrusted(report) ? keyOf(report) : undefined
}
