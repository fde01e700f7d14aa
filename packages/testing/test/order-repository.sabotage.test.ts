import {
  memoryOrderRepository,
  type MemoryOrderRepository,
  type Order,
  type OrderKey,
  type OrderListQuery,
  type OrderPage,
  type Payment,
  type PaymentFailure,
} from '@tonplug/core'
import { describeOrderRepository, type OrderRepositorySuiteOptions } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { runSuite } from './passing-tests.js'

type Change = (repository: MemoryOrderRepository) => Partial<MemoryOrderRepository>
type OptionalMethod = 'findByBodyHashes' | 'findByReferences' | 'list' | 'search' | 'checkAccess'

interface Sabotage {
  /** A fault of the repository. */
  mistake: string
  /** Tests that must fail. */
  noticedBy: RegExp
  change: Change
}

const READING: readonly Sabotage[] = [
  {
    mistake: 'finds any order for an unknown reference',
    noticedBy: /find > returns null for|not-found for an unknown/,
    change: (inner) => {
      const anyKey = (): OrderKey => inner.all()[0] ?? { reference: 'none' }
      return {
        find: async (key) => (await inner.find(key)) ?? inner.find(anyKey()),
        complete: async (key, payment) => {
          const transition = await inner.complete(key, payment)
          return transition === 'not-found' ? 'conflict' : transition
        },
        fail: async (key, failure) => {
          const transition = await inner.fail(key, failure)
          return transition === 'not-found' ? 'conflict' : transition
        },
      }
    },
  },
  {
    mistake: 'stores amounts as numbers',
    noticedBy: /S31|every field of the payment|with every field that was stored/,
    change: (inner) => ({
      add: (order) =>
        inner.add({ ...order, rawAmount: order.rawAmount && roundTrip(order.rawAmount) }),
      complete: (key, payment) =>
        inner.complete(key, { ...payment, rawAmount: roundTrip(payment.rawAmount) }),
      listOpen: onEach(inner, (order) => ({ ...order, createdAt: null })),
      find: onFound(inner, (order) => ({ ...order, createdAt: null })),
    }),
  },
  {
    mistake: 'returns an empty recipient, payment and failure',
    noticedBy: /without a recipient/,
    change: (inner) => ({
      find: onFound(inner, (order) => ({ ...order, recipient: order.recipient ?? '' })),
    }),
  },
  {
    mistake: 'stores every order as pending',
    noticedBy: /every status as stored|S42|cancelled order/,
    change: (inner) => ({ add: (order) => inner.add({ ...order, status: 'pending' }) }),
  },
  {
    mistake: 'does not return the recipient',
    noticedBy: /(find|listOpen) > returns (an order|orders) with every field/,
    change: withoutField('recipient'),
  },
  {
    mistake: 'does not return when an order was created',
    noticedBy: /(find|listOpen) > returns (an order|orders) with every field/,
    change: withoutField('createdAt'),
  },
  {
    mistake: 'does not return the body hash',
    noticedBy: /the body hash of an order/,
    change: withoutField('bodyBase64Hash'),
  },
  {
    mistake: 'does not return the failure',
    noticedBy: /S74 (stores|replaces|returns)|S28|keeps that/,
    change: withoutField('failure'),
  },
  {
    mistake: 'does not return the merchant',
    noticedBy: /S66 (find returns the order|listOpen|returns the orders)/,
    change: withoutField('merchant'),
  },
  {
    mistake: 'does not find an order by a key without a merchant',
    noticedBy: /by an empty merchant and by none/,
    change: (inner) => ({
      find: async (key) => (key.merchant === undefined ? null : inner.find(key)),
    }),
  },
  {
    mistake: 'compares references without case',
    noticedBy: /references that differ by case/,
    change: withReference((reference) => reference.toLowerCase()),
  },
  {
    mistake: 'trims references',
    noticedBy: /trailing space/,
    change: withReference((reference) => reference.trim()),
  },
  {
    mistake: 'reads references as numbers',
    noticedBy: /leading zero/,
    change: withReference((reference) => reference.replace(/^0+/, '')),
  },
  {
    mistake: 'compares references without accents',
    noticedBy: /accent/,
    change: withReference((reference) =>
      reference.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''),
    ),
  },
  {
    mistake: 'uses references as patterns',
    noticedBy: /wildcard/,
    change: withReference((reference) => reference.replaceAll('_', '-')),
  },
  {
    mistake: 'rejects unusual references',
    noticedBy: /S83 finds and completes/,
    change: (inner) => ({
      add: (order) => {
        if (!/^order|^[\w-]{1,20}$/.test(order.reference) || order.reference.startsWith('__'))
          return
        inner.add(order)
      },
    }),
  },
  {
    mistake: 'returns what it read before',
    noticedBy: /(find|listOpen|findBy\w+) (> )?returns the new state|returns the new state/,
    change: (inner) => {
      const found = new Map<string, Order>()
      const remember = (order: Order): Order => {
        const id = JSON.stringify([order.merchant ?? '', order.reference])
        const known = found.get(id) ?? order
        found.set(id, known)
        return known
      }
      return {
        find: onFound(inner, remember),
        findByReferences: onAll(inner, 'findByReferences', remember),
        findByBodyHashes: onAll(inner, 'findByBodyHashes', remember),
        listOpen: onEach(inner, remember),
      }
    },
  },
]

const COMPLETING: readonly Sabotage[] = [
  {
    mistake: 'reads the order, then writes it',
    noticedBy: /S38 applies one|S40 applies one/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        if (order === null) return 'not-found'
        if (order.status === 'completed') {
          return order.payment?.txHash === payment.txHash ? 'already-applied' : 'conflict'
        }
        inner.add({ ...order, status: 'completed', payment })
        return 'applied'
      },
    }),
  },
  {
    mistake: 'completes pending orders only',
    noticedBy: /S29 S43 completes an order that is (failed|expired)|S29 completes|S27 S29/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const status = (await inner.find(key))?.status
        return status === 'failed' || status === 'expired'
          ? 'conflict'
          : inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'completes without a payment',
    noticedBy: /completes an order that is|the payment's|every field of the payment/,
    change: (inner) => ({
      find: onFound(inner, (order) => ({ ...order, payment: undefined })),
    }),
  },
  {
    mistake: 'returns conflict for a repetition',
    noticedBy: /S26|S38/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        return transition === 'already-applied' ? 'conflict' : transition
      },
    }),
  },
  {
    mistake: 'replaces the payment by that of another transfer',
    noticedBy: /S40 returns conflict/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        if (order?.status === 'completed') inner.add({ ...order, payment })
        return inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'takes any completed order for one that the transfer completed',
    noticedBy: /S113|S40 returns conflict/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        return order?.status === 'completed' ? 'already-applied' : inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'completes cancelled orders',
    noticedBy: /S42/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const order = await inner.find(key)
        if (order?.status === 'cancelled') inner.add({ ...order, status: 'pending' })
        return inner.complete(key, payment)
      },
    }),
  },
  {
    mistake: 'changes every order',
    noticedBy: /does not change other orders|S83 finds/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        for (const order of inner.all()) await inner.complete(order, payment)
        return transition
      },
    }),
  },
  {
    mistake: 'shares the payment between concurrent calls',
    noticedBy: /completes each of many|S66 completes one order/,
    change: (inner) => {
      let shared: Payment
      return {
        complete: async (key, payment) => {
          shared = payment
          await Promise.resolve()
          return inner.complete(key, shared)
        },
      }
    },
  },
  {
    mistake: 'lets a transaction complete one order',
    noticedBy: /two orders by the same/,
    change: (inner) => {
      const used = new Map<string, string>()
      return {
        complete: async (key, payment) => {
          const reference = used.get(payment.txHash) ?? key.reference
          used.set(payment.txHash, reference)
          return reference === key.reference ? inner.complete(key, payment) : 'conflict'
        },
      }
    },
  },
  {
    mistake: 'creates unknown orders',
    noticedBy: /complete > returns not-found/,
    change: (inner) => ({
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        const { rawAmount, asset } = payment
        if (transition === 'not-found') inner.add({ ...key, rawAmount, asset, status: 'completed' })
        return transition
      },
    }),
  },
  {
    mistake: 'stores dates in its own time zone',
    noticedBy: /every field of the payment|date "yesterday"|date ""/,
    change: withPayment(({ date, ...payment }) => {
      const parsed = new Date(date)
      return { ...payment, date: Number.isNaN(+parsed) ? 'invalid' : parsed.toISOString() }
    }),
  },
  {
    mistake: 'does not store the source of a payment',
    noticedBy: /source (chain|gateway|operator)/,
    change: withPayment((payment) => ({ ...payment, source: 'webhook' })),
  },
  {
    mistake: 'stores the source of every payment as chain',
    noticedBy: /source webhook/,
    change: withPayment((payment) => ({ ...payment, source: 'chain' })),
  },
  {
    mistake: 'does not store the body hash of a payment',
    noticedBy: /completes an order that is|every field of the payment/,
    change: withPayment((payment) => ({ ...payment, bodyBase64Hash: '' })),
  },
]

const FAILING: readonly Sabotage[] = [
  {
    mistake: 'does not store failures',
    noticedBy: /S28 moves|S74 stores/,
    change: (inner) => ({
      fail: async (key) => {
        const order = await inner.find(key)
        if (order === null) return 'not-found'
        inner.add({ ...order, status: 'failed' })
        return 'applied'
      },
    }),
  },
  {
    mistake: 'records the failures of pending orders only',
    noticedBy:
      /S74 (stores the failure of an expired|replaces|applies 50)|S74 .* order that is expired/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = inner.all().find(({ reference }) => reference === key.reference)
        if (order?.status === 'expired') return 'conflict'
        const isOther = order?.failure?.txHash !== failure.txHash
        return order?.status === 'failed' && isOther ? 'conflict' : inner.fail(key, failure)
      },
    }),
  },
  {
    mistake: 'moves expired orders to failed',
    noticedBy: /S74 stores the failure of an expired/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        if (order?.status === 'expired') inner.add({ ...order, status: 'pending' })
        return inner.fail(key, failure)
      },
    }),
  },
  {
    mistake: 'does not store the status of a failure',
    noticedBy: /S28 moves|S74 stores every/,
    change: withFailure((failure) => ({ ...failure, status: 'failed' })),
  },
  {
    mistake: 'stores 0 and an empty string for a failure without code and message',
    noticedBy: /S28 stores a failure without/,
    change: withFailure((failure) => ({ errorCode: 0, errorMessage: '', ...failure })),
  },
  {
    mistake: 'stores error codes as 32-bit integers',
    noticedBy: /32-bit/,
    change: withFailure(({ errorCode, ...failure }) =>
      errorCode === undefined ? failure : { ...failure, errorCode: errorCode | 0 },
    ),
  },
  {
    mistake: 'returns applied for every failure',
    noticedBy: /already-applied for the txHash of the stored|S74 applies one/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const transition = await inner.fail(key, failure)
        return transition === 'already-applied' ? 'applied' : transition
      },
    }),
  },
  {
    mistake: 'replaces a failure by its repetition',
    noticedBy: /and keeps that/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        const isRepeated = order?.failure?.txHash === failure.txHash
        if (order && isRepeated && order.status === 'failed') inner.add({ ...order, failure })
        return inner.fail(key, failure)
      },
    }),
  },
  {
    mistake: 'records the failures of cancelled orders',
    noticedBy: /conflict for a cancelled order and leaves it cancelled/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        if (order?.status === 'cancelled') inner.add({ ...order, failure })
        return inner.fail(key, failure)
      },
      complete: async (key, payment) => {
        const transition = await inner.complete(key, payment)
        return transition === 'conflict' ? 'already-applied' : transition
      },
    }),
  },
  {
    mistake: 'lets a failure change a completed order',
    noticedBy: /S27/,
    change: (inner) => ({
      fail: async (key, failure) => {
        const order = await inner.find(key)
        if (order === null) return 'not-found'
        inner.add({ ...order, status: 'failed', failure })
        return 'applied'
      },
    }),
  },
]

const OFFERS: readonly Sabotage[] = [
  {
    mistake: 'does not return the offers',
    noticedBy: /S127 (returns the offers|stores)/,
    change: withoutField('offers'),
  },
  {
    mistake: 'returns the offers of another order',
    noticedBy: /S127 returns no offers/,
    change: (inner) => ({
      find: onFound(inner, (order) => ({ ...order, offers: inner.all().at(-1)?.offers })),
    }),
  },
  {
    mistake: 'returns copies of offers that JSON.stringify rejects',
    noticedBy: /S127 returns offers that JSON/,
    change: (inner) => ({
      find: onFound(inner, ({ offers, ...order }) => ({
        ...order,
        offers: offers?.map((offer) => ({ ...offer })),
      })),
    }),
  },
  {
    mistake: 'does not store the offer of a payment',
    noticedBy: /S127 stores the offer of a payment/,
    change: withPayment(({ offer: _offer, ...payment }) => payment),
  },
]

const MERCHANTS: readonly Sabotage[] = [
  {
    mistake: 'ignores the merchant of a key',
    noticedBy: /S66 (find|complete|fail|completes)|S65/,
    change: (inner) => {
      const anyOf = ({ reference }: OrderKey): OrderKey =>
        inner.all().find((order) => order.reference === reference) ?? { reference }
      return {
        find: (key) => inner.find(anyOf(key)),
        complete: (key, payment) => inner.complete(anyOf(key), payment),
        fail: (key, failure) => inner.fail(anyOf(key), failure),
      }
    },
  },
  {
    mistake: 'joins merchant and reference with a colon',
    noticedBy: /S83 distinguishes/,
    change: (inner) => {
      const joined = ({ merchant = '', reference }: OrderKey): OrderKey => ({
        reference: merchant === '' ? reference : `${merchant}:${reference}`,
      })
      return {
        add: (order) => inner.add({ ...order, ...joined(order), merchant: '' }),
        find: (key) => inner.find(joined(key)),
      }
    },
  },
  {
    mistake: 'lists the orders of one merchant',
    noticedBy: /S66 (listOpen|returns)/,
    change: (inner) => {
      const isOwn = ({ merchant = '' }: Order): boolean => merchant === ''
      return {
        async *listOpen(query) {
          for await (const order of inner.listOpen(query)) if (isOwn(order)) yield order
        },
        findByReferences: async (values) =>
          (await inner.findByReferences?.(values))?.filter(isOwn) ?? [],
        findByBodyHashes: async (values) =>
          (await inner.findByBodyHashes?.(values))?.filter(isOwn) ?? [],
      }
    },
  },
]

const LISTING: readonly Sabotage[] = [
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

const FINDING_MANY: readonly Sabotage[] = [
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

const PAGES: readonly Sabotage[] = [
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

const ACCESS: readonly Sabotage[] = [
  {
    mistake: 'rejects access to orders that can be written',
    noticedBy: /S80/,
    change: () => ({ checkAccess: () => Promise.reject(new Error('permission denied')) }),
  },
]

const SABOTAGES = [
  ...READING,
  ...COMPLETING,
  ...FAILING,
  ...OFFERS,
  ...MERCHANTS,
  ...LISTING,
  ...FINDING_MANY,
  ...PAGES,
  ...ACCESS,
]

describe('describeOrderRepository', () => {
  it.each(SABOTAGES)('notices a repository that $mistake', async ({ change, noticedBy }) => {
    const { passed, failed } = await run(change, { titles: noticedBy })
    expect(passed).toEqual([])
    expect(failed).not.toEqual([])
  })
  it('has a sabotage that each of its tests notices', async () => {
    const { passed } = await run(() => ({}))
    const unnoticed = passed.filter(
      (title) =>
        !SABOTAGES.some(({ noticedBy }) => noticedBy.test(title)) && !title.includes('has exactly'),
    )
    expect(unnoticed).toEqual([])
  })
  it('notices a repository with other methods than the options state', async () => {
    const titles = /has exactly the optional methods/
    const fewer = await run(() => ({}), { without: ['findByReferences'], titles })
    const more = await run(() => ({}), {
      options: { checkAccess: false, list: true, search: true },
      titles,
    })
    expect([fewer.failed.length, more.failed.length]).toEqual([1, 1])
  })
  it('reports the tests of everything that a repository lacks as skipped', async () => {
    const simple: Change = (inner) => {
      const anyMerchant = ({ reference }: OrderKey): OrderKey => ({ reference })
      return {
        add: ({ merchant: _merchant, bodyBase64Hash: _hash, ...order }) => inner.add(order),
        find: (key) => inner.find(anyMerchant(key)),
        complete: (key, payment) => inner.complete(anyMerchant(key), payment),
        fail: (key, failure) => inner.fail(anyMerchant(key), failure),
      }
    }
    const without = [
      'findByBodyHashes',
      'findByReferences',
      'list',
      'search',
      'checkAccess',
    ] as const
    const options = {
      merchants: false,
      bodyHashes: false,
      findByReferences: false,
      checkAccess: false,
    }
    const { failed, skipped } = await run(simple, { options, without })
    expect(failed).toEqual([])
    for (const reason of [
      'the repository ignores merchants',
      'the repository does not store body hashes',
      'the repository has no findByBodyHashes',
      'the repository has no findByReferences',
      'the repository has no list',
      'the repository has no search',
      'the repository has no checkAccess',
    ]) {
      expect(skipped.filter((title) => title.includes(`(skipped: ${reason})`))).not.toEqual([])
    }
    const undeclared = await run(simple, { without })
    expect(
      undeclared.passed.filter((title) => /findBy|checkAccess|S66|list >|search >/.test(title)),
    ).toEqual([])
  })
})

function run(
  change: Change,
  {
    options = { list: true, search: true },
    without = [],
    titles,
  }: {
    options?: OrderRepositorySuiteOptions
    without?: readonly OptionalMethod[]
    titles?: RegExp
  } = {},
) {
  const makeHarness = () => {
    const memory = memoryOrderRepository()
    const checkAccess = (): Promise<void> => Promise.resolve()
    const repository: MemoryOrderRepository = { ...memory, checkAccess, ...change(memory) }
    for (const method of without) delete repository[method]
    return { repository, insert: async (order: Order) => repository.add(order) }
  }
  return runSuite(
    (runner) => describeOrderRepository('sabotaged', makeHarness, runner, options),
    titles,
  )
}

function onFound(
  inner: MemoryOrderRepository,
  change: (order: Order) => Order,
): (key: OrderKey) => Promise<Order | null> {
  return async (key) => {
    const order = await inner.find(key)
    return order && change(order)
  }
}

type FindMany = (values: readonly string[]) => Promise<Order[]>

function onAll(
  inner: MemoryOrderRepository,
  method: 'findByReferences' | 'findByBodyHashes',
  change: (order: Order) => Order,
): FindMany {
  return async (values) => ((await inner[method]?.(values)) ?? []).map(change)
}

/** Searches for one value at a time. */
function oneByOne(
  inner: MemoryOrderRepository,
  method: 'findByReferences' | 'findByBodyHashes',
): FindMany {
  const find = onAll(inner, method, (order) => order)
  return async (values) => (await Promise.all(values.map((value) => find([value])))).flat()
}

function onMany(change: (orders: Order[]) => Order[]): Change {
  return (inner) => ({
    findByReferences: async (values) => change((await inner.findByReferences?.(values)) ?? []),
    findByBodyHashes: async (values) => change((await inner.findByBodyHashes?.(values)) ?? []),
  })
}

function listOf(inner: MemoryOrderRepository, query: OrderListQuery): Promise<OrderPage> {
  if (inner.list === undefined) throw new TypeError('expected list')
  return inner.list(query)
}

function onPages(change: (page: OrderPage) => OrderPage): Change {
  return (inner) => ({ list: async (query) => change(await listOf(inner, query)) })
}

function onEach(
  inner: MemoryOrderRepository,
  change: (order: Order) => Order,
): MemoryOrderRepository['listOpen'] {
  return async function* (query) {
    for await (const order of inner.listOpen(query)) yield change(order)
  }
}

/** Returns orders without a field, from every method. */
function withoutField(field: keyof Order): Change {
  const change = (order: Order): Order => ({ ...order, [field]: undefined })
  return (inner) => ({
    find: onFound(inner, change),
    listOpen: onEach(inner, change),
    findByReferences: onAll(inner, 'findByReferences', change),
    findByBodyHashes: onAll(inner, 'findByBodyHashes', change),
    list: async (query) => {
      const page = await listOf(inner, query)
      return { ...page, orders: page.orders.map(change) }
    },
    search: async (query) => ((await inner.search?.(query)) ?? []).map(change),
  })
}

function withReference(rewrite: (reference: string) => string): Change {
  const rewritten = <Key extends OrderKey>(key: Key): Key => {
    return { ...key, reference: rewrite(key.reference) }
  }
  return (inner) => ({
    add: (order) => inner.add(rewritten(order)),
    find: (key) => inner.find(rewritten(key)),
    complete: (key, payment) => inner.complete(rewritten(key), payment),
  })
}

function withPayment(rewrite: (payment: Payment) => Payment): Change {
  return (inner) => ({ complete: (key, payment) => inner.complete(key, rewrite(payment)) })
}

function withFailure(rewrite: (failure: PaymentFailure) => PaymentFailure): Change {
  return (inner) => ({ fail: (key, failure) => inner.fail(key, rewrite(failure)) })
}

function roundTrip(amount: bigint): bigint {
  return BigInt(Number(amount))
}

async function collect(orders: AsyncIterable<Order>): Promise<Order[]> {
  const collected: Order[] = []
  for await (const order of orders) collected.push(order)
  return collected
}
