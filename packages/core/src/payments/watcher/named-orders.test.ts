import { describe, expect, it } from 'vitest'
import type { Order } from '../orders/order.js'
import { NamedOrders } from './named-orders.js'
import { indexOrders, watchOrder, type OrderHint } from './open-orders.js'
import type { ResolvedWatcherOptions } from './options.js'

const WALLET = `0:${'1'.repeat(64)}`

const hex = (number: number): string => number.toString(16).padStart(64, '0')
const base64 = (number: number): string => Buffer.from(hex(number), 'hex').toString('base64')
const byBody = (number: number): OrderHint => ({ bodyHash: hex(number), comment: undefined })
const byComment = (comment: string): OrderHint => ({ bodyHash: undefined, comment })

function orderOf(reference: string, changes: Partial<Order> = {}): Order {
  return { reference, rawAmount: 1n, asset: 'TON', status: 'completed', ...changes }
}

interface Given {
  stored?: Order[]
  listed?: Order[]
  /** Leaves the batch methods out. */
  isSimple?: boolean
  options?: Partial<ResolvedWatcherOptions>
}

function openNamed({ stored = [], listed = [], isSimple = false, options = {} }: Given) {
  const calls: [name: string, ...keys: string[]][] = []
  const batch = {
    findByBodyHashes: async (hashes: string[]) => {
      calls.push(['bodies', ...hashes])
      return stored.filter(({ bodyBase64Hash }) => hashes.includes(bodyBase64Hash ?? ''))
    },
    findByReferences: async (references: string[]) => {
      calls.push(['references', ...references])
      return [null, ...stored.filter(({ reference }) => references.includes(reference))]
    },
  }
  const find = async ({ reference }: Order) => {
    calls.push(['find', reference])
    return stored.find((order) => order.reference === reference) ?? null
  }
  const all = {
    matchBy: ['body', 'comment'],
    commentOf: ({ reference }: Order) => reference,
    isCommentReference: true,
    payments: { internals: { orders: { find, ...(!isSimple && batch) }, wallets: [WALLET] } },
    ...options,
  } as unknown as ResolvedWatcherOptions
  const index = indexOrders(listed.flatMap((order) => watchOrder(order, all) ?? []))
  return { named: new NamedOrders(all, index), calls }
}

const references = (groups: { reference: string }[][]) =>
  groups.map((group) => group.map(({ reference }) => reference))

describe('the orders that messages name', () => {
  it('are those that can still be completed, listed or not, before the closed ones', async () => {
    const bodyBase64Hash = base64(1)
    const listed = orderOf('listed', { status: 'pending', bodyBase64Hash })
    const stored = [
      orderOf('closed', { bodyBase64Hash }),
      orderOf('expired', { status: 'expired', bodyBase64Hash }),
      listed,
    ]
    const { named } = openNamed({ listed: [listed], stored })
    const hint = { bodyHash: hex(1), comment: 'closed' }
    expect(references(named.find(hint))).toEqual([['listed'], [], [], []])
    await named.load([hint])
    expect(references(named.find(hint))).toEqual([
      ['listed', 'expired'],
      [],
      ['closed'],
      ['closed'],
    ])
  })

  it('has one order of each merchant with the same reference', async () => {
    const [ann, bob] = ['ann', 'bob'].map((merchant) =>
      orderOf('order-1', { status: 'pending', merchant }),
    ) as [Order, Order]
    const { named } = openNamed({ listed: [ann], stored: [ann, bob] })
    await named.load([byComment('order-1')])
    const [, found = []] = named.find(byComment('order-1'))
    expect(found.map(({ merchant }) => merchant)).toEqual(['ann', 'bob'])
  })

  it('are read once, in batches of 1000', async () => {
    const { named, calls } = openNamed({ stored: [orderOf('order-1')] })
    await named.load([byComment('order-1'), byComment('order-1'), byComment('none'), byBody(1)])
    await named.load([byComment('order-1'), byComment('none'), byBody(1)])
    expect(calls).toEqual([
      ['bodies', base64(1)],
      ['references', 'order-1', 'none'],
    ])
    const many = Array.from({ length: 1001 }, (_, number) => byComment(`order ${number}`))
    await named.load(many)
    expect(calls.slice(2).map(({ length }) => length - 1)).toEqual([1000, 1])
  })

  it('are read again after twenty thousand keys', async () => {
    const { named, calls } = openNamed({})
    const many = Array.from({ length: 20_000 }, (_, number) => byComment(`order ${number}`))
    await named.load(many)
    await named.load([byComment('one more')])
    await named.load([byComment('order 0')])
    const asked = calls.map((call) => call.at(-1))
    expect(asked.slice(-2)).toEqual(['one more', 'order 0'])
  })

  it.each(['', 'a\0', '\uFFFD', 'x'.repeat(1025)])(
    'are not looked up by the comment %j, nor by an invalid hash',
    async (comment) => {
      const { named, calls } = openNamed({})
      await named.load([{ comment, bodyHash: 'none' }])
      expect(calls).toEqual([])
    },
  )

  it.each<[Partial<ResolvedWatcherOptions>, string[]]>([
    [{ matchBy: ['body'] }, ['bodies']],
    [{ matchBy: ['comment'] }, ['references']],
    [{ matchBy: ['amount'] }, []],
    [{ isCommentReference: false }, ['bodies']],
  ])('are looked up with %j by %j', async (options, expected) => {
    const { named, calls } = openNamed({ options })
    await named.load([{ bodyHash: hex(1), comment: 'order-1' }])
    expect(calls.map(([name]) => name)).toEqual(expected)
  })

  it('are looked up one by one without the batch methods: the newest, one for 100 rows', async () => {
    const listed = [orderOf('listed', { status: 'pending' })]
    const { named, calls } = openNamed({ listed, stored: [orderOf('b')], isSimple: true })
    await named.load(['a', 'b', 'b', 'listed'].map(byComment))
    expect(calls).toEqual([['find', 'b']])
    expect(references(named.find(byComment('b')))).toEqual([[], [], [], ['b']])
    await named.load(['a', 'b'].map(byComment), 99)
    expect(calls).toHaveLength(1)
    await named.load(['c', 'a', 'b'].map(byComment), 1)
    expect(calls.slice(1)).toEqual([['find', 'a']])
    await named.load(['c', 'd', 'e'].map(byComment), 299)
    expect(calls.slice(2)).toEqual([
      ['find', 'e'],
      ['find', 'd'],
    ])
  })

  it('are known, usable and payable if the rules can use them', async () => {
    const payment = { txHash: hex(7), traceId: hex(8) } as Order['payment']
    const unusable = orderOf('unusable', { rawAmount: -1n })
    const stored = [orderOf('paid', { payment }), orderOf('unpaid'), unusable]
    const { named } = openNamed({ stored })
    const transaction = { txHash: base64(7) }
    const hints = ['paid', 'unpaid', 'unusable', 'none'].map(byComment)
    await named.load(hints)
    const facts = hints.map((hint) => ({
      isKnown: named.isKnown(hint),
      isUsable: named.isUsable(hint),
      isPayable: named.isPayable(hint, { txHash: hex(1) }),
      isPayableByIts: named.isPayable(hint, transaction),
    }))
    expect(facts).toEqual([
      { isKnown: true, isUsable: true, isPayable: true, isPayableByIts: false },
      { isKnown: true, isUsable: true, isPayable: true, isPayableByIts: true },
      { isKnown: true, isUsable: false, isPayable: false, isPayableByIts: false },
      { isKnown: false, isUsable: false, isPayable: false, isPayableByIts: false },
    ])
  })

  it('are completed by the transaction of their payment, or by its trace', async () => {
    const payment = { txHash: hex(7), traceId: base64(8) } as Order['payment']
    const { named } = openNamed({ stored: [orderOf('paid', { payment }), orderOf('unpaid')] })
    await named.load(['paid', 'unpaid'].map(byComment))
    const completedBy = (txHash: string, traceId?: string, reference = 'paid') =>
      named.completedBy(byComment(reference), { txHash, traceId }).length
    expect(completedBy(base64(7))).toBe(1)
    expect(completedBy(hex(1), hex(8))).toBe(1)
    expect(completedBy(hex(1))).toBe(0)
    expect(completedBy(hex(7), undefined, 'unpaid')).toBe(0)
  })

  it('are not completed by an unknown trace', async () => {
    const payment = { txHash: hex(7), traceId: '' } as Order['payment']
    const { named } = openNamed({ stored: [orderOf('paid', { payment })] })
    await named.load([byComment('paid')])
    expect(named.completedBy(byComment('paid'), { txHash: hex(1), traceId: '' })).toEqual([])
  })
})
