import { parseBaseUnits } from '../../shared/units.js'
import { withJson } from '../../shared/with-json.js'
import { RepositoryError } from '../orders/errors.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { HandlerEvent } from '../inbox/handler-event.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { Task } from '../inbox/inbox-tasks.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import type { DecisionOf } from '../orders/decision.js'
import { toPayment, toPaymentFailure, type Order, type ReceivedAmount } from '../orders/order.js'
import { keyOf } from './report.js'
import { DECISIONS, hasEvent, type MismatchDecision } from './decision-table.js'
import type { HandlerContext, MismatchedTransfer } from './events.js'
import { receivedFor } from './order-received.js'
import { withRecordedPayment } from './recorded-payment.js'
import { inAsset, receivedSoFar } from './received-so-far.js'
import type { HandlerRegistry, RegisteredHandler } from './handler-registry.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'

/** The stores and handlers that running a task needs. */
export interface RunHandlerOptions<O extends Order> {
  orders: CheckedRepository<O>
  inbox: CheckedInbox
  registry: HandlerRegistry<O>
}

/** The part of a task that a run needs. */
export type HandlerRun = Pick<Task, 'handler' | 'reportId' | 'idempotencyKey' | 'attempt'>

/**
 * Runs the handler of a task once, with the order as it is now and the transfer as it was reported.
 * @throws whatever the handler throws, the reason of `signal`, and {@link RepositoryError} when the handler, the report or
 * the order is missing.
 */
export async function runHandler<O extends Order>(
  { orders, inbox, registry }: RunHandlerOptions<O>,
  { handler: name, reportId, idempotencyKey, attempt }: HandlerRun,
  signal: AbortSignal,
): Promise<void> {
  const registered = registry.find(name)
  if (registered === undefined) {
    throw missing(`no handler is registered as ${name}; was it renamed or removed?`)
  }
  const report = await inbox.reports.find(reportId)
  if (report === null) throw missing(`the inbox has no report ${reportId}`)
  const { merchant, source, signedWith } = report
  const context = { idempotencyKey, attempt, reportId, merchant, source, signedWith, signal }
  const transfer = readStoredTransfer(report.rawBody)
  if (registered.event === 'onUnknownOrder') {
    // Its order was found since.
    if (!hasEvent(report.decision, 'onUnknownOrder')) return
    // The task may run elsewhere since.
    signal.throwIfAborted()
    await registered.handler({ merchant, transfer }, context)
    return
  }
  const order = await orders.find(keyOf(report))
  if (order === null) {
    throw missing(`the order ${JSON.stringify(report.reference)} no longer exists`)
  }
  const sums = await sumsOf(inbox, { event: registered.event, report, order })
  signal.throwIfAborted()
  await callHandler(registered, { order, transfer, report, ...sums }, context)
}

/** Returns what has arrived for an order, for the events about money that does not fit it. */
async function sumsOf(
  inbox: CheckedInbox,
  { event, report, order }: { event: HandlerEvent; report: Report; order: Order },
): Promise<Pick<Facts<Order>, 'received' | 'totalReceived'>> {
  const { decision, name, rawBody } = report
  const isRejected = event === 'onMismatch' && hasEvent(decision, event)
  if (!isRejected && !(event === 'onExtraPayment' && hasEvent(decision, event)))
    return { totalReceived: 0n }
  const recorded = await withRecordedPayment(inbox, report, order)
  const received = await receivedFor(inbox, report, recorded ?? order)
  const sums = isRejected ? await receivedSoFar({ name, inbox }, order) : new Map<string, bigint>()
  return { received, totalReceived: inAsset(sums, readStoredTransfer(rawBody).asset) }
}

interface Facts<O extends Order> {
  order: O
  transfer: TransferData
  report: Report
  totalReceived: bigint
  received?: readonly ReceivedAmount[] | undefined
}

/** A report that was decided again has nothing for the handlers of its former decision. */
function callHandler<O extends Order>(
  registered: Exclude<RegisteredHandler<O>, { event: 'onUnknownOrder' }>,
  { order, transfer, report, totalReceived, received }: Facts<O>,
  context: HandlerContext,
): unknown {
  const { decision } = report
  const sums = received === undefined ? {} : { received }
  switch (registered.event) {
    case 'onPaid':
      return registered.handler(
        withJson({ order, transfer, ...paidFacts(order, transfer, report) }),
        context,
      )
    case 'onFailed':
      if (!hasEvent(decision, 'onFailed')) return undefined
      return registered.handler(
        withJson({ order, transfer, failure: toPaymentFailure(transfer, report.txHash) }),
        context,
      )
    case 'onMismatch':
      if (!hasEvent(decision, 'onMismatch')) return undefined
      return registered.handler(
        withJson({
          order,
          transfer,
          reason: mismatchReason(decision),
          decision,
          totalReceived,
          ...sums,
        }),
        context,
      )
    case 'onExtraPayment':
      if (!hasEvent(decision, 'onExtraPayment')) return undefined
      return registered.handler(withJson({ order, transfer, decision, ...sums }), context)
    case 'onUnverified':
      if (!hasEvent(decision, 'onUnverified')) return undefined
      return registered.handler(withJson({ order, transfer, decision }), context)
  }
}

/** The order's own payment counts: another source may have reported it first. */
function paidFacts(order: Order, transfer: TransferData, { txHash, source, decision }: Report) {
  const paid = decision?.kind === 'paid' ? decision : undefined
  const standing = order.payment?.txHash === txHash ? order.payment : undefined
  const isLate = standing?.isLate ?? paid?.isLate ?? false
  const offer = standing?.offer ?? paid?.offer
  const surplus = standing?.surplus ?? paid?.surplus
  const acceptedAmounts = standing?.acceptedAmounts ?? paid?.acceptedAmounts
  const sourceOf = standing?.source ?? paid?.source ?? source
  const received = { ...transfer, rawAmount: paid?.received ?? transfer.rawAmount }
  const facts = { isLate, source: sourceOf, offer, surplus, acceptedAmounts }
  const payment = toPayment(received, txHash, facts)
  return { payment, isLate, isEarly: paid?.isEarly === true, source: sourceOf }
}

function mismatchReason(decision: MismatchDecision): MismatchedTransfer['reason'] {
  return decision.kind === 'amount_mismatch'
    ? amountReason(decision)
    : DECISIONS[decision.kind].reason
}

/** An invalid amount counts as nothing received. Amounts of two assets cannot be compared. */
function amountReason({ expected, received, asset, isLate }: DecisionOf<'amount_mismatch'>) {
  if (asset !== undefined) return 'asset'
  if (isLate === true) return 'late'
  const amount = parseBaseUnits(received) ?? 0n
  if (amount === BigInt(expected)) return 'rule'
  return amount < BigInt(expected) ? 'underpaid' : 'overpaid'
}

function missing(problem: string): RepositoryError {
  return new RepositoryError({ operation: 'run handler', problem })
}
