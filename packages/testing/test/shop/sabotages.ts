import {
  createPaymentVerifier,
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type MemoryOrderRepository,
  type Order,
  type OrderKey,
} from '@tonplug/core'
import type { ShopSimulationOptions } from '@tonplug/testing'

/** A defect, and the seed from which on it is found soonest. */
export interface Sabotage {
  title: string
  seed: number
  options: Omit<ShopSimulationOptions, 'seed'>
}

type ChangeOfInbox = (inbox: Inbox, nowMs: () => number) => Partial<Inbox>

function inboxWith(change: ChangeOfInbox): Sabotage['options'] {
  return {
    inbox(clock) {
      const inbox = memoryInbox({ clock: { ...clock, setTimer: () => () => undefined } })
      return { ...inbox, ...change(inbox, clock.nowMs) }
    },
  }
}

type ChangeOfOrders = (orders: MemoryOrderRepository) => Partial<MemoryOrderRepository>

function ordersWith(change: ChangeOfOrders): Sabotage['options'] {
  return {
    repository() {
      const repository = memoryOrderRepository()
      const changed = { ...repository, ...change(repository) }
      return {
        repository: changed,
        insert: async (order: Order) => repository.add(order),
        cancel: (key: OrderKey) => repository.cancel(key),
        expire: (key: OrderKey) => repository.expire(key),
      }
    },
  }
}

const CREDIT = 'credit:'

function loseRefundClaims({ credits }: Inbox, nowMs: () => number): Partial<Inbox> {
  const claims: { query: Parameters<typeof credits.claim>[0]; atMs: number }[] = []
  const lose = async (): Promise<void> => {
    for (const { query, atMs } of claims) {
      if (nowMs() < atMs + 1000) continue
      const { name, merchant, reference, payments } = query
      for (const payment of payments.filter((one) => one.startsWith(CREDIT)))
        await credits.release({ name, merchant, reference, credit: payment.slice(CREDIT.length) })
    }
  }
  return {
    credits: {
      ...credits,
      async claim(query) {
        await lose()
        if (query.kind === 'refund') claims.push({ query, atMs: nowMs() })
        return credits.claim(query)
      },
      async find(query) {
        await lose()
        return credits.find(query)
      },
    },
  }
}

const never = (): Promise<void> => Promise.resolve()

/** Defects of stores. Each breaks a promise. */
export const SABOTAGES: readonly Sabotage[] = [
  {
    title: 'claims on credits are lost',
    seed: 4,
    options: inboxWith(({ credits }) => ({ credits: { ...credits, claim: async () => true } })),
  },
  {
    title: 'the claim of a refund is lost after a second',
    seed: 21,
    options: inboxWith(loseRefundClaims),
  },
  {
    title: 'a decision is recorded without its tasks',
    seed: 1,
    options: inboxWith(({ reports }) => ({
      reports: {
        ...reports,
        decide: (id, { decision, retryInMs }) => reports.decide(id, { decision, retryInMs }),
      },
    })),
  },
  {
    title: 'stored reports are not decided again after a crash',
    seed: 1,
    options: inboxWith(({ reports }) => ({ reports: { ...reports, claim: async () => [] } })),
  },
  {
    title: 'a task is finished before it has run',
    seed: 9,
    options: inboxWith(({ tasks }) => ({
      tasks: {
        ...tasks,
        async claim(query) {
          const claimed = await tasks.claim(query)
          for (const task of claimed) await tasks.finish(task, { kind: 'done' })
          return claimed
        },
      },
    })),
  },
  {
    title: 'a failed run counts as done',
    seed: 77,
    options: inboxWith(({ tasks }) => ({
      tasks: { ...tasks, finish: (task) => tasks.finish(task, { kind: 'done' }) },
    })),
  },
  {
    title: 'each run of a handler has another key',
    seed: 1,
    options: inboxWith(({ tasks }) => ({
      tasks: {
        ...tasks,
        claim: async (query) =>
          (await tasks.claim(query)).map((task) => ({
            ...task,
            idempotencyKey: `${task.idempotencyKey.slice(0, 40)}-${task.attempt}`,
          })),
      },
    })),
  },
  {
    title: 'the key of a task is made of its order alone',
    seed: 1,
    options: inboxWith(({ tasks }) => ({
      tasks: {
        ...tasks,
        claim: async (query) =>
          (await tasks.claim(query)).map((task) => ({ ...task, idempotencyKey: task.reference })),
      },
    })),
  },
  {
    title: 'reports are distinguished by their order alone',
    seed: 3,
    options: inboxWith(({ reports }) => ({
      reports: {
        ...reports,
        store: (report) => reports.store({ ...report, key: report.reference }),
      },
    })),
  },
  {
    title: 'orders are read from a cache that is not updated',
    seed: 1,
    options: ordersWith((orders) => {
      const cache = new Map<string, Order>()
      return {
        async find(key) {
          const known = cache.get(key.reference) ?? (await orders.find(key))
          if (known !== null) cache.set(key.reference, known)
          return known
        },
      }
    }),
  },
  {
    title: 'a transition is confirmed and lost',
    seed: 3,
    options: ordersWith((orders) => {
      let calls = 0
      return {
        complete: async (...given) => (++calls % 2 === 1 ? 'applied' : orders.complete(...given)),
      }
    }),
  },
  {
    title: 'the cursor is moved ahead of what was read',
    seed: 36,
    options: {
      cursor: (cursor) => ({
        ...cursor,
        save: (text) => cursor.save(movedAhead(text)),
      }),
    },
  },
  {
    title: 'the cursor is never saved, and its lease never held',
    seed: 4,
    options: { cursor: (cursor) => ({ ...cursor, save: never, acquire: async () => false }) },
  },
  {
    title: 'one index of two is asked, which lies',
    seed: 15,
    options: { proof: ([v3], clock) => createPaymentVerifier({ v3, clock }) },
  },
]

/** Returns a cursor that is an hour ahead. */
function movedAhead(text: string): string {
  return text.replace(/"scannedTo":(\d+)/, (_, seconds) => `"scannedTo":${Number(seconds) + 3600}`)
}
