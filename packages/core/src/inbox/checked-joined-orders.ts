import { attempt, checkFound, checkTransition } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { JoinedOrders, JoinedTransition } from './inbox.js'

/** Wraps joined orders and checks their contract, as `checkedRepository` does for the shop's repository. */
export function checkedJoinedOrders<O extends Order>(joined: JoinedOrders<O>): JoinedOrders<O> {
  const storeAndFind = joined.storeAndFind?.bind(joined)
  return {
    ...(storeAndFind !== undefined && {
      storeAndFind: (report) =>
        attempt('inbox.storeAndFind', async () => {
          const found = await storeAndFind(report)
          if (found.order !== null) checkFound(found.order, report)
          return found
        }),
    }),
    completeAndDecide: (reportId, move) =>
      attempt('inbox.completeAndDecide', async () =>
        checkMade('orders.complete', await joined.completeAndDecide(reportId, move)),
      ),
    failAndDecide: (reportId, move) =>
      attempt('inbox.failAndDecide', async () =>
        checkMade('orders.fail', await joined.failAndDecide(reportId, move)),
      ),
  }
}

function checkMade(operation: string, made: JoinedTransition): JoinedTransition {
  if (made.transition !== 'reused') checkTransition(operation, made.transition)
  return made
}
