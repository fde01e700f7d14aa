import { attempt } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import type { TransferData } from '../webhook/payload.js'
import { deliver, type DeliverOptions } from './deliver.js'
import type { Delivery, NewDelivery } from './inbox.js'
import { readTransfer } from './run-handler.js'

/** When the sweep takes up a delivery that was stored and not decided; longer than any deadline. */
const UNDECIDED_RETRY_MS = 30_000

/** An authentic transfer, as it was delivered. */
export interface AuthenticTransfer {
  transfer: TransferData
  rawBody: string
  signedWith: string
}

export interface SettleOptions<O extends Order> extends DeliverOptions<O> {
  /** Told of each decision once it is recorded. */
  announce: (decision: Decision, transfer: TransferData, deliveryId: string) => void
}

/**
 * Stores the transfer before any rule looks at it, then decides it. The order is read first, as the delivery has to
 * be told from one whose payment was handled before; when it cannot be read, the delivery is stored all the same.
 * @throws {RepositoryError} when a store fails.
 */
export async function settle<O extends Order>(
  options: SettleOptions<O>,
  authentic: AuthenticTransfer,
): Promise<Decision> {
  const { transfer } = authentic
  const { signedWith } = authentic
  const found = await options.orders.findByReference(transfer.reference, { signedWith }).then(
    (order) => ({ order }),
    (error: unknown) => ({ order: null, error }),
  )
  const stored = toNewDelivery(options, authentic, found.order)
  const delivery = await attempt('inbox.store', () => options.inbox.store(stored))
  if ('error' in found) throw found.error
  const decision =
    delivery.state === 'decided'
      ? duplicateOf(delivery)
      : await deliver(options, { delivery, transfer, order: found.order })
  options.announce(decision, transfer, delivery.id)
  return decision
}

/** Decides a delivery that is parked, or whose decision is missing. @throws {RepositoryError} when a store fails. */
export async function resettle<O extends Order>(
  options: SettleOptions<O>,
  delivery: Delivery,
): Promise<void> {
  const transfer = readTransfer(delivery)
  const { reference, signedWith } = delivery
  const order = await options.orders.findByReference(reference, { signedWith })
  const decision = await deliver(options, { delivery, transfer, order })
  // That it is still unmatched was announced when it came.
  if (decision.kind !== 'unmatched') options.announce(decision, transfer, delivery.id)
}

function duplicateOf({ reference, txHash, decision }: Delivery): Decision {
  return { kind: 'duplicate', reference, txHash, first: decision?.kind }
}

/** The key is made of the signed fields that the rules look at: repetitions may differ in the others. */
function toNewDelivery<O extends Order>(
  { name: receiver, clock }: SettleOptions<O>,
  { transfer, rawBody, signedWith }: AuthenticTransfer,
  order: Order | null,
): NewDelivery {
  const nowMs = clock.nowMs()
  const { reference, status, amount, rawAmount, asset, recipientAddr } = transfer
  const txHash = canonicalTransactionHash(transfer.txHash)
  return {
    receiver,
    key: JSON.stringify([
      receiver,
      reference,
      txHash,
      status,
      amount,
      rawAmount,
      asset,
      recipientAddr,
    ]),
    reference,
    txHash,
    rawBody,
    signedWith,
    wasCompletedBefore: isCompletedBy(order, txHash),
    receivedAtMs: nowMs,
    retryAtMs: nowMs + UNDECIDED_RETRY_MS,
  }
}

/** A completed order that does not tell its payment may have been completed by any transfer. */
function isCompletedBy(order: Order | null, txHash: string): boolean {
  return order?.status === 'completed' && (order.payment?.txHash ?? txHash) === txHash
}
