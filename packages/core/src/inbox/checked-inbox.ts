import { attempt, checkFound, checkTransition, failed } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { Inbox, JoinedOrders, JoinedTransition } from './inbox.js'

/** The methods of an inbox that Payments needs. */
export const INBOX_METHODS = [
  'register',
  'unsubscribe',
  'store',
  'decide',
  'claimReports',
  'postpone',
  'reread',
  'matchReference',
  'redecide',
  'find',
  'listReports',
  'listTasks',
  'recordAction',
  'listActions',
  'claimPayments',
  'claimTasks',
  'claimRelay',
  'extendLease',
  'finishTask',
  'finishRelayed',
  'listRelayed',
  'nextDueInMs',
  'stats',
  'replay',
  'forgetDecided',
] as const satisfies readonly (keyof Inbox)[]

/** The part of an inbox that Payments uses. */
export type CheckedInbox = Pick<
  Inbox,
  'name' | 'isDurable' | 'nowMs' | (typeof INBOX_METHODS)[number]
>

/** Wraps an inbox: anything that a method throws becomes a {@link RepositoryError} that names it. */
export function checkedInbox(inbox: Inbox): CheckedInbox {
  const methods = INBOX_METHODS.map((name) => {
    // Each method gets its own arguments.
    const call = inbox[name].bind(inbox) as (...given: unknown[]) => Promise<unknown>
    const checked = async (...given: unknown[]): Promise<unknown> => {
      try {
        return await call(...given)
      } catch (cause) {
        throw failed(`inbox.${name}`, cause)
      }
    }
    return [name, checked]
  })
  return {
    name: inbox.name,
    isDurable: inbox.isDurable,
    ...(inbox.nowMs !== undefined && { nowMs: inbox.nowMs.bind(inbox) }),
    ...Object.fromEntries(methods),
  } as CheckedInbox
}

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
