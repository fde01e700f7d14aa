import { ConfigurationError } from '../errors/configuration.js'
import { checkedRepository } from '../orders/checked-repository.js'
import type { Decision } from '../orders/decision.js'
import { foundBy } from '../orders/found-by.js'
import type { Order, Payment } from '../orders/order.js'
import { toPayment } from '../orders/payment.js'
import type { OrderRepository } from '../orders/repository.js'
import { systemClock, type Clock } from '../runtime/clock.js'
import { checkOptionNames } from '../transport/option-names.js'
import { checkRecipients } from '../webhook/check-options.js'
import { applyRules, explainConflict, type DeliverOptions } from './deliver.js'
import { createHandlerRegistry, DEFAULT_NAME } from './handler-registry.js'
import type { Delivery, Inbox } from './inbox.js'
import {
  claimFound,
  toAuthentic,
  type FoundTransfer,
  type FoundTransferTaker,
} from './settle-found.js'
import { storeDelivery } from './store-delivery.js'

const COMPLETED = 'completed'
/** Beyond that many the payments that were found are forgotten: a second one is then told from the first by a server. */
const MOST_PAID = 50_000

export interface FoundTransferStoreOptions<O extends Order = Order> {
  /** The receiver's, which has to be durable: other processes decide what is stored. */
  inbox: Inbox
  /** The receiver's orders. */
  orders: OrderRepository<O>
  /** The receiver's. @default 'default' */
  name?: string | undefined
  /** The receiver's wallets, in any spelling. */
  recipients?: readonly string[] | undefined
  /** @default systemClock */
  clock?: Clock | undefined
}

const NAMES: Record<keyof FoundTransferStoreOptions, true> = {
  inbox: true,
  orders: true,
  name: true,
  recipients: true,
  clock: true,
}

/**
 * Takes what a reconciler finds where no receiver runs, as in a command: it is stored, and the servers of the receiver
 * decide it within a minute, by their own rules and with their handlers. What it answers is what the rules of every
 * receiver say, taken that the first payment that it finds for an order will pay it; a shop's own may say otherwise.
 * @throws {ConfigurationError} when an option cannot work.
 * @example
 * ```ts
 * import { createFoundTransferStore, createReconciler, createV3Client } from '@tonplug/core'
 * import type { Inbox, OrderRepository } from '@tonplug/core'
 *
 * declare const inbox: Inbox
 * declare const orders: OrderRepository
 * declare const recipients: string[]
 *
 * const receiver = createFoundTransferStore({ inbox, orders, recipients })
 * const { found } = await createReconciler({ receiver, orders, v3: createV3Client() }).run()
 * console.log(found)
 * ```
 */
export function createFoundTransferStore<O extends Order = Order>(
  given: FoundTransferStoreOptions<O>,
): FoundTransferTaker {
  checkOptionNames(given, Object.keys(NAMES))
  const { inbox, name = DEFAULT_NAME, clock = systemClock } = given
  if (!inbox.isDurable) {
    const problem = `the ${inbox.name} inbox forgets; no other process would find what is stored`
    throw new ConfigurationError({ option: 'inbox', problem })
  }
  const recipients = checkRecipients(given.recipients)
  const options: DeliverOptions<O> = {
    name,
    orders: checkedRepository(given.orders),
    inbox,
    joined: undefined,
    registry: createHandlerRegistry<O>({}, name),
    proof: undefined,
    recipients,
    acceptAmount: undefined,
    rules: [],
    clock,
  }
  // Payments that no server has decided yet, by reference.
  const paid = new Map<string, Payment>()

  const judge = (delivery: Delivery, { transfer }: FoundTransfer, stored: O | null): Decision => {
    const { reference, txHash, signedWith } = delivery
    const payment = paid.get(reference)
    const order = payment && isOpen(stored) ? { ...stored, status: COMPLETED, payment } : stored
    const concluded = applyRules(options, { delivery, transfer, order })
    if (concluded.kind !== 'paid') return concluded
    if (order?.status === 'cancelled') {
      return explainConflict(order, { reference, txHash, transfer, foundBy: foundBy(signedWith) })
    }
    if (paid.size >= MOST_PAID) paid.clear()
    if (payment === undefined) paid.set(reference, toPayment(transfer, concluded))
    return concluded
  }

  return {
    name,
    recipients,
    async settleFound(found): Promise<Decision | undefined> {
      if (!(await claimFound(options, found))) return undefined
      const { delivery, order } = await storeDelivery(options, toAuthentic(found))
      const { reference, txHash, decision } = delivery
      return delivery.state === 'decided'
        ? { kind: 'duplicate', reference, txHash, first: decision?.kind }
        : judge(delivery, found, order)
    },
  }
}

function isOpen<O extends Order>(order: O | null): order is O {
  return order !== null && order.status !== 'completed'
}
