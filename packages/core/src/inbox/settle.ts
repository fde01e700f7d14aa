import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import type { TransferData } from '../webhook/payload.js'
import { deliver, type DeliverOptions } from './deliver.js'
import type { Delivery } from './inbox.js'
import { readTransfer } from './run-handler.js'
import { storeDelivery, type AuthenticTransfer } from './store-delivery.js'

export interface SettleOptions<O extends Order> extends DeliverOptions<O> {
  /** Told of each decision once it is recorded. */
  announce: (decision: Decision, transfer: TransferData, deliveryId: string) => void
}

/**
 * Stores the transfer before any rule looks at it, then decides it.
 * @throws {RepositoryError} when a store fails.
 */
export async function settle<O extends Order>(
  options: SettleOptions<O>,
  authentic: AuthenticTransfer,
): Promise<Decision> {
  const { transfer } = authentic
  const { delivery, order } = await storeDelivery(options, authentic)
  const decision =
    delivery.state === 'decided'
      ? duplicateOf(delivery)
      : await deliver(options, { delivery, transfer, order })
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
  if (isNews(decision, delivery)) options.announce(decision, transfer, delivery.id)
}

/** That it still waits was announced when it came. */
function isNews({ kind }: Decision, { decision: former }: Delivery): boolean {
  return kind !== 'unmatched' && !(kind === 'verifying' && former?.kind === 'verifying')
}

function duplicateOf({ reference, txHash, decision }: Delivery): Decision {
  return { kind: 'duplicate', reference, txHash, first: decision?.kind }
}
