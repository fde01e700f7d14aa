import { attempt, checkFound, checkTransition } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import type { Inbox, JoinedOrders, JoinedTransition } from './inbox.js'

/** The methods of an inbox that Payments needs, by group. */
export const INBOX_METHODS = {
  reports: [
    'store',
    'decide',
    'claim',
    'postpone',
    'reread',
    'orderCreated',
    'redecide',
    'find',
    'list',
    'findValues',
    'recordAction',
    'listActions',
    'forget',
  ],
  tasks: [
    'list',
    'claim',
    'claimRelay',
    'extendLease',
    'finish',
    'finishRelayed',
    'listRelayed',
    'replay',
  ],
  credits: ['store', 'find', 'list', 'listOf', 'listOfWallet', 'claim', 'release'],
  processes: ['register', 'unsubscribe', 'nextDueInMs'],
} as const satisfies { [Group in InboxGroup]: readonly (keyof Inbox[Group])[] }

type InboxGroup = 'reports' | 'tasks' | 'credits' | 'processes'

/** The part of an inbox that Payments uses. */
export type CheckedInbox = Pick<
  Inbox,
  'name' | 'isDurable' | 'stats' | 'sums' | 'reports' | 'credits' | 'processes'
> & {
  tasks: Pick<Inbox['tasks'], (typeof INBOX_METHODS.tasks)[number]>
}

type Method = (...given: unknown[]) => Promise<unknown>

/** Wraps an inbox: anything that a method throws becomes a {@link RepositoryError} that names it. */
export function checkedInbox(inbox: Inbox): CheckedInbox {
  const groups = Object.entries(INBOX_METHODS).map(([group, names]) => {
    // Each method gets its own arguments.
    const methods = inbox[group as InboxGroup] as unknown as Record<string, Method>
    const checked = names.map((name) => [
      name,
      (...given: unknown[]) => attempt(`inbox.${group}.${name}`, () => methods[name]!(...given)),
    ])
    return [group, Object.fromEntries(checked)]
  })
  const { processes, ...others } = Object.fromEntries(groups) as Pick<CheckedInbox, InboxGroup>
  return {
    name: inbox.name,
    isDurable: inbox.isDurable,
    ...others,
    processes: {
      ...processes,
      ...(inbox.processes.nowMs !== undefined && {
        nowMs: inbox.processes.nowMs.bind(inbox.processes),
      }),
    },
    stats: (query) => attempt('inbox.stats', () => inbox.stats(query)),
    sums: (period) => attempt('inbox.sums', () => inbox.sums(period)),
  }
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
