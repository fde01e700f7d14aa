import { parseBaseUnits } from '../shared/units.js'
import { withJson } from '../shared/with-json.js'
import { RepositoryError } from '../orders/errors.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report, Task } from '../inbox/inbox.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import type { Decision, DecisionOf } from '../orders/decision.js'
import { toPayment, toPaymentFailure, type Order } from '../orders/order.js'
import { keyOf } from './decide-report.js'
import type { ExtraPayment, HandlerContext, MismatchedTransfer } from './events.js'
import { receivedSoFar } from './received-so-far.js'
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
  const report = await inbox.find(reportId)
  if (report === null) throw missing(`the inbox has no report ${reportId}`)
  const { merchant, source, signedWith } = report
  const context = { idempotencyKey, attempt, reportId, merchant, source, signedWith, signal }
  const transfer = readStoredTransfer(report.rawBody)
  if (registered.event === 'onUnknownOrder') {
    // Its order was found since.
    if (report.decision?.kind !== 'unmatched') return
    // The task may run elsewhere since.
    signal.throwIfAborted()
    await registered.handler({ merchant, transfer }, context)
    return
  }
  const order = await orders.find(keyOf(report))
  if (order === null) {
    throw missing(`the order ${JSON.stringify(report.reference)} no longer exists`)
  }
  const isRejected = registered.event === 'onMismatch' && isMismatch(report.decision)
  const totalReceived = isRejected ? await receivedSoFar(inbox, report) : 0n
  signal.throwIfAborted()
  await callHandler(registered, { order, transfer, report, totalReceived }, context)
}

interface Facts<O extends Order> {
  order: O
  transfer: TransferData
  report: Report
  totalReceived: bigint
}

/** A report that was decided again has nothing for the handlers of its former decision. */
function callHandler<O extends Order>(
  registered: Exclude<RegisteredHandler<O>, { event: 'onUnknownOrder' }>,
  { order, transfer, report, totalReceived }: Facts<O>,
  context: HandlerContext,
): unknown {
  const { decision } = report
  switch (registered.event) {
    case 'onPaid':
      return registered.handler(
        withJson({ order, transfer, ...paidFacts(order, transfer, report) }),
        context,
      )
    case 'onFailed':
      if (decision?.kind !== 'failed') return undefined
      return registered.handler(
        withJson({ order, transfer, failure: toPaymentFailure(transfer, report.txHash) }),
        context,
      )
    case 'onMismatch':
      if (!isMismatch(decision)) return undefined
      return registered.handler(
        withJson({ order, transfer, reason: mismatchReason(decision), decision, totalReceived }),
        context,
      )
    case 'onExtraPayment':
      if (!isExtra(decision)) return undefined
      return registered.handler(withJson({ order, transfer, decision }), context)
    case 'onUnverified':
      if (decision?.kind !== 'unverified') return undefined
      return registered.handler(withJson({ order, transfer, decision }), context)
  }
}

/** The order's own payment counts: another door may have reported it first. */
function paidFacts(order: Order, transfer: TransferData, { txHash, source, decision }: Report) {
  const paid = decision?.kind === 'paid' ? decision : undefined
  const standing = order.payment?.txHash === txHash ? order.payment : undefined
  const late = standing?.late ?? paid?.late ?? false
  const doorOf = standing?.source ?? paid?.source ?? source
  const payment = toPayment(transfer, txHash, { late, source: doorOf })
  return { payment, late, early: paid?.early === true, source: doorOf }
}

function mismatchReason(decision: MismatchedTransfer['decision']): MismatchedTransfer['reason'] {
  switch (decision.kind) {
    case 'amount_mismatch':
      return amountReason(decision)
    case 'asset_mismatch':
      return 'asset'
    case 'recipient_mismatch':
      return 'wallet'
    case 'rejected':
      return 'rule'
  }
}

/** An invalid amount counts as nothing received. Amounts of two assets cannot be compared. */
function amountReason({ expected, received, asset }: DecisionOf<'amount_mismatch'>) {
  if (asset !== undefined) return 'asset'
  const amount = parseBaseUnits(received) ?? 0n
  if (amount === BigInt(expected)) return 'rule'
  return amount < BigInt(expected) ? 'underpaid' : 'overpaid'
}

function isMismatch(decision: Decision | undefined): decision is MismatchedTransfer['decision'] {
  return (
    decision?.kind === 'amount_mismatch' ||
    decision?.kind === 'asset_mismatch' ||
    decision?.kind === 'recipient_mismatch' ||
    decision?.kind === 'rejected'
  )
}

function isExtra(decision: Decision | undefined): decision is ExtraPayment['decision'] {
  return decision?.kind === 'extra_payment' || decision?.kind === 'paid_after_cancel'
}

function missing(problem: string): RepositoryError {
  return new RepositoryError({ operation: 'run handler', problem })
}
