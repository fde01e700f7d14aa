import { RepositoryError } from '../errors/repository.js'
import type { CheckedRepository } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import { findingsOf } from '../orders/finding.js'
import type { Order } from '../orders/order.js'
import { toPayment, toPaymentFailure } from '../orders/payment.js'
import { isTransferCompleted, parsePayload, type TransferData } from '../webhook/payload.js'
import {
  EVENT_OF_FINDING,
  type HandlerRegistry,
  type RegisteredHandler,
} from './handler-registry.js'
import type { FindingEvents, FoundEvent, Handler, HandlerContext } from './handlers.js'
import type { Delivery, HandlerOutcome, HandlerTask, Inbox } from './inbox.js'

/** What running a task needs. */
export interface RunHandlerOptions<O extends Order> {
  orders: CheckedRepository<O>
  inbox: Inbox
  registry: HandlerRegistry<O>
}

/**
 * Runs the handler of a task once, with the order as it is now and the transfer as it was delivered.
 * @throws whatever the handler throws, and {@link RepositoryError} when what it needs is not there.
 */
export async function runHandler<O extends Order>(
  options: RunHandlerOptions<O>,
  task: HandlerTask,
  signal: AbortSignal,
): Promise<HandlerOutcome> {
  const registered = options.registry.find(task.handler)
  if (registered === undefined) {
    throw missing(`no handler is registered as ${task.handler}; was it renamed or removed?`)
  }
  const delivery = await options.inbox.find(task.deliveryId)
  if (delivery === null) throw missing(`the inbox has no delivery ${task.deliveryId}`)
  const { idempotencyKey, attempt, deliveryId } = task
  const { signedWith } = delivery
  const context = { idempotencyKey, attempt, deliveryId, signedWith, signal }
  const transfer = readTransfer(delivery)
  if (registered.event === 'onUnmatched') {
    await registered.handler({ transfer }, context)
    return { kind: 'done' }
  }
  const order = await options.orders.findByReference(delivery.reference, { signedWith })
  if (order === null)
    throw missing(`there is no order ${JSON.stringify(delivery.reference)} any more`)
  await callHandler(registered, { order, transfer, decision: delivery.decision }, context)
  return { kind: 'done' }
}

/** The transfer of a stored delivery. */
export function readTransfer(delivery: Delivery): TransferData {
  const payload = parsePayload(delivery.rawBody)
  if (!isTransferCompleted(payload)) throw missing(`the delivery ${delivery.id} is no transfer`)
  return payload.data
}

interface Facts<O extends Order> {
  order: O
  transfer: TransferData
  decision: Decision | undefined
}

/** A delivery that `paid` was recorded for since has nothing to tell the handlers of its former decision. */
function callHandler<O extends Order>(
  registered: Exclude<RegisteredHandler<O>, { event: 'onUnmatched' }>,
  facts: Facts<O>,
  context: HandlerContext,
): unknown {
  const { order, transfer, decision } = facts
  switch (registered.event) {
    case 'onPaid': {
      const { late, foundBy } = decision?.kind === 'paid' ? decision : NOT_LATE
      const payment = toPayment(transfer, { late, foundBy })
      return registered.handler({ order, transfer, payment, late }, context)
    }
    case 'onFailed':
      return registered.handler({ order, transfer, failure: toPaymentFailure(transfer) }, context)
    case 'onMismatched':
      if (!isMismatch(decision)) return undefined
      return registered.handler({ order, transfer, decision }, context)
    case 'onExtraPayment':
      if (!isExtra(decision)) return undefined
      return registered.handler({ order, transfer, decision }, context)
    case 'onUnverified':
      if (decision?.kind !== 'unverified') return undefined
      return registered.handler({ order, transfer, decision }, context)
    default:
      return callFindingHandler(registered, { order, transfer, decision }, context)
  }
}

const NOT_LATE = { late: false, foundBy: undefined }

function callFindingHandler<O extends Order>(
  { event, handler }: Extract<RegisteredHandler<O>, { event: keyof FindingEvents }>,
  { order, transfer, decision }: Facts<O>,
  context: HandlerContext,
): unknown {
  if (decision === undefined) return undefined
  const isStill = findingsOf(decision).some((finding) => EVENT_OF_FINDING[finding] === event)
  // The finding tells the kind of the decision; the union cannot see it.
  const run = handler as Handler<FoundEvent<Decision, O>>
  return isStill ? run({ order, transfer, decision }, context) : undefined
}

type Mismatch = Extract<
  Decision,
  { kind: 'amount_mismatch' | 'asset_mismatch' | 'recipient_mismatch' | 'rejected' }
>

function isMismatch(decision: Decision | undefined): decision is Mismatch {
  return (
    decision?.kind === 'amount_mismatch' ||
    decision?.kind === 'asset_mismatch' ||
    decision?.kind === 'recipient_mismatch' ||
    decision?.kind === 'rejected'
  )
}

function isExtra(
  decision: Decision | undefined,
): decision is Extract<Decision, { kind: 'extra_payment' | 'paid_after_cancel' }> {
  return decision?.kind === 'extra_payment' || decision?.kind === 'paid_after_cancel'
}

function missing(problem: string): RepositoryError {
  return new RepositoryError({ operation: 'run handler', problem })
}
