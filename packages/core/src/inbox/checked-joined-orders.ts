import { attempt, checkOrder, checkTransition } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { JoinedOrders, JoinedTransition } from './joined-orders.js'

/** The same with its contract checked, as `checkedRepository` does it for the shop's repository. */
export function checkedJoinedOrders<O extends Order>(joined: JoinedOrders<O>): JoinedOrders<O> {
  const storeAndFind = joined.storeAndFind?.bind(joined)
  return {
    ...(storeAndFind !== undefined && {
      storeAndFind: (delivery) =>
        attempt('inbox.storeAndFind', async () => {
          const found = await storeAndFind(delivery)
          if (found.order !== null) checkOrder(found.order, delivery.reference)
          return found
        }),
    }),
    completeAndDecide: (deliveryId, move) =>
      attempt('inbox.completeAndDecide', async () =>
        checkMade('orders.complete', await joined.completeAndDecide(deliveryId, move)),
      ),
    failAndDecide: (deliveryId, move) =>
      attempt('inbox.failAndDecide', async () =>
        checkMade('orders.recordFailure', await joined.failAndDecide(deliveryId, move)),
      ),
  }
}

function checkMade(operation: string, made: JoinedTransition): JoinedTransition {
  checkTransition(operation, made.transition)
  return made
}
