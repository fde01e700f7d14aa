import type { Order } from '@tonplug/core'
import {
  onAll,
  oneByOne,
  onMany,
  listOf,
  onPages,
  onEach,
  collect,
  type Sabotage,
} from './sabotage.js'

export const LISTING: readonly Sabotage[] = [
  {
    mistake: 'lists nothing',
    noticedBy: /listOpen > (returns (pending|orders|the (same|oldest|body))|includes|excludes|can)/,
    change: () => ({
      async *listOpen() {
        yield* []
      },
    }),
  },
  {
    mistake: 'lists closed orders',
    noticedBy: /listOpen > (returns pending|can be ended)|listOpen returns the new|S84/,
    change: (inner) => ({
      async *listOpen({ limit }) {
        yield* inner.all().slice(0, limit)
      },
    }),
  },
  {
    mistake: 'lists an order that does not exist',
    noticedBy: /returns nothing without orders/,
    change: (inner) => ({
      async *listOpen(query) {
        yield* inner.listOpen(query)
        yield { reference: '', rawAmount: 0n, asset: 'TON', status: 'pending' }
      },
    }),
  },
  {
    mistake: 'lists the newest first',
    noticedBy: /oldest/,
    change: (inner) => ({
      async *listOpen({ limit, ...query }) {
        const orders = await collect(inner.listOpen({ ...query, limit: 1000 }))
        yield* orders.toReversed().slice(0, limit)
      },
    }),
  },
  {
    mistake: 'lists the first hundred',
    noticedBy: /of 250 orders/,
    change: (inner) => ({
      listOpen: ({ limit, ...query }) => inner.listOpen({ ...query, limit: Math.min(limit, 100) }),
    }),
  },
  {
    mistake: 'ignores the limit',
    noticedBy: /up to the limit|of 250 orders|S84 applies/,
    change: (inner) => ({
      async *listOpen({ limit, ...query }) {
        const orders = await collect(inner.listOpen({ ...query, limit: 1000 }))
        yield* orders.length > limit ? orders : inner.listOpen({ ...query, limit })
        if (limit === 2) yield* orders
      },
    }),
  },
  {
    mistake: 'applies the limit to all orders',
    noticedBy: /S84/,
    change: (inner) => ({
      async *listOpen({ limit, ...query }) {
        const oldest = new Set(
          inner
            .all()
            .slice(0, limit)
            .map(({ reference }) => reference),
        )
        for await (const order of inner.listOpen({ ...query, limit })) {
          if (oldest.has(order.reference)) yield order
        }
      },
    }),
  },
  {
    mistake: 'excludes orders that were created at `createdAfter`',
    noticedBy: /includes orders|oldest orders after/,
    change: (inner) => ({
      listOpen: ({ createdAfter, ...query }) =>
        inner.listOpen({ ...query, createdAfter: createdAfter && new Date(+createdAfter + 1) }),
    }),
  },
  {
    mistake: 'ignores milliseconds of `createdAfter`',
    noticedBy: /a millisecond before/,
    change: (inner) => ({
      listOpen: ({ createdAfter, ...query }) =>
        inner.listOpen({
          ...query,
          createdAfter: createdAfter && new Date(Math.floor(+createdAfter / 1000) * 1000),
        }),
    }),
  },
  {
    mistake: 'lists orders in another format than find',
    noticedBy: /(listOpen|findBy\w+) > returns the same order/,
    change: (inner) => {
      const reformat = (order: Order): Order => ({ ...order, asset: 'GRAM' })
      return {
        listOpen: onEach(inner, reformat),
        findByReferences: onAll(inner, 'findByReferences', reformat),
        findByBodyHashes: onAll(inner, 'findByBodyHashes', reformat),
      }
    },
  },
]

export const FINDING_MANY: readonly Sabotage[] = [
  {
    mistake: 'finds only open orders',
    noticedBy: /findBy\w+ > returns an order that is (cancelled|completed)/,
    change: onMany((orders) => orders.filter(({ status }) => !/cancelled|completed/.test(status))),
  },
  {
    mistake: 'finds only closed orders',
    noticedBy: /findBy\w+ > returns an order that is (pending|failed|expired)/,
    change: onMany((orders) => orders.filter(({ status }) => /cancelled|completed/.test(status))),
  },
  {
    mistake: 'finds no orders',
    noticedBy: /findBy\w+ > (returns the orders|S85|S66)/,
    change: onMany(() => []),
  },
  {
    mistake: 'finds all orders',
    noticedBy: /findBy\w+ > (returns nothing|returns the orders that|distinguishes|S85)/,
    change: (inner) => ({
      findByReferences: async () => inner.all(),
      findByBodyHashes: async () => inner.all(),
    }),
  },
  {
    mistake: 'returns an order for each value',
    noticedBy: /findBy\w+ > returns an order once/,
    change: (inner) => ({
      findByReferences: oneByOne(inner, 'findByReferences'),
      findByBodyHashes: oneByOne(inner, 'findByBodyHashes'),
    }),
  },
  {
    mistake: 'compares values without case',
    noticedBy: /findBy\w+ > distinguishes values/,
    change: (inner) => {
      const isWanted = (value: string | null | undefined, values: readonly string[]): boolean =>
        values.some((one) => one.toLowerCase() === value?.toLowerCase())
      return {
        findByReferences: async (values) =>
          inner.all().filter(({ reference }) => isWanted(reference, values)),
        findByBodyHashes: async (values) =>
          inner.all().filter(({ bodyBase64Hash }) => isWanted(bodyBase64Hash, values)),
      }
    },
  },
  {
    mistake: 'accepts 100 values',
    noticedBy: /S85/,
    change: (inner) => ({
      findByReferences: async (values) =>
        (await inner.findByReferences?.(values.slice(0, 100))) ?? [],
      findByBodyHashes: async (values) =>
        (await inner.findByBodyHashes?.(values.slice(0, 100))) ?? [],
    }),
  },
]

export const PAGES: readonly Sabotage[] = [
  {
    mistake: 'lists the oldest orders first',
    noticedBy: /list > (returns orders of every status|returns pages|lists orders)/,
    change: onPages((page) => ({ ...page, orders: page.orders.toReversed() })),
  },
  {
    mistake: 'begins each page with the newest order',
    noticedBy: /list > returns pages/,
    change: (inner) => ({ list: (query) => listOf(inner, { ...query, after: undefined }) }),
  },
  {
    mistake: 'returns the next page of the last one',
    noticedBy: /list > returns no next page/,
    change: onPages((page) => ({ next: 'more', ...page })),
  },
  {
    mistake: 'ignores the filters of a list',
    noticedBy: /list > (lists orders|lists no orders|returns the orders of one status)/,
    change: (inner) => ({ list: ({ limit, after }) => listOf(inner, { limit, after }) }),
  },
  {
    mistake: 'lists and finds the orders of one merchant',
    noticedBy: /(list|search) > S66 (lists|searches)/,
    change: (inner) => {
      const own = (orders: Order[]): Order[] =>
        orders.filter(({ merchant = '' }) => merchant === '')
      return {
        list: async (query) => {
          const page = await listOf(inner, query)
          return { ...page, orders: own(page.orders) }
        },
        search: async (query) => own((await inner.search?.(query)) ?? []),
      }
    },
  },
  {
    mistake: 'finds orders that contain the string',
    noticedBy: /search > returns orders whose/,
    change: (inner) => ({
      search: async ({ text, limit }) =>
        inner
          .all()
          .filter(({ reference }) => reference.includes(text))
          .slice(0, limit),
    }),
  },
  {
    mistake: 'finds open orders alone',
    noticedBy: /search > returns the same order/,
    change: (inner) => ({
      search: async (query) =>
        ((await inner.search?.(query)) ?? []).filter(({ status }) => status !== 'completed'),
    }),
  },
]
