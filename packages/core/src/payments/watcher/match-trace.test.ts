import { createTestLogger } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import type { RouteMessage } from '../ledger/credit.js'
import { hintsOf, matchTrace, type CandidateTrace } from './match-trace.js'
import { amountKey, indexOrders, type OrderHint, type WatchedOrder } from './open-orders.js'
import type { Arrival } from './proof/credits-of.js'
import type { Run } from './run-state.js'

const [ours, another, payer, jettonWallet, master] = ['1', '2', '3', '4', '5'].map(
  (digit) => `0:${digit.repeat(64)}`,
) as [string, string, string, string, string]
const CREATED = 1_767_614_400
const HEAD = CREATED + 3600

const orderOf = (reference: string, changes: Partial<WatchedOrder> = {}): WatchedOrder => ({
  reference,
  merchant: '',
  recipients: [ours],
  offers: [{ asset: 'TON', rawAmount: 1n }],
  bodyHash: undefined,
  comment: reference,
  amounts: [],
  createdMs: CREATED * 1000,
  isOpen: true,
  ...changes,
})

function messageOf(comment: string | undefined, changes: Partial<RouteMessage> = {}): RouteMessage {
  return {
    hash: `message ${comment}`,
    sender: payer,
    recipient: ours,
    value: 1_000_000_000n,
    bodyHash: undefined,
    comment,
    isCommentEncrypted: false,
    transaction: 'credit',
    fees: 0n,
    isShared: false,
    ...changes,
  }
}

/** Money whose messages have these comments, the first one of the trace first. */
function arrivalOf(comments: (string | undefined)[], changes: Partial<Arrival> = {}): Arrival {
  const [first, ...more] = comments.map((comment) => messageOf(comment))
  return {
    account: ours,
    wallet: ours,
    txHash: 'credit',
    traceId: 'trace',
    utime: CREATED + 60,
    rawAmount: 1_000_000_000n,
    route: [first ?? messageOf(undefined), ...more],
    ...changes,
  }
}

interface Given {
  /** Orders that comments name: open ones, and closed ones. */
  named?: WatchedOrder[]
  completed?: WatchedOrder[]
  byAmount?: WatchedOrder[]
  isClockKnown?: boolean
  clockAheadMs?: number
  isPayable?: (txHash: string) => boolean
  isPending?: boolean
  isUndeployed?: boolean
}

function match(arrivals: Arrival[], given: Given = {}) {
  const { named = [], completed = [], byAmount = [], isClockKnown = true, clockAheadMs = 0 } = given
  const namedBy = (orders: WatchedOrder[], { comment }: OrderHint, isOpen: boolean) =>
    orders.filter((order) => order.comment === comment && order.isOpen === isOpen)
  const transaction = { hash: 'credit', lt: 1n, out_msgs: [] }
  const candidate = {
    arrivals,
    trace: {
      trace_info: { trace_state: 'complete', pending_messages: given.isPending === true ? 1 : 0 },
      transactions_order: ['credit'],
      transactions: { credit: transaction },
    },
    description: { isComplete: true, isFinal: true, traceId: 'trace' },
  } as unknown as CandidateTrace
  const run = {
    head: HEAD,
    wallets: new Set([ours, another]),
    orders: indexOrders(byAmount),
    clockAheadMs,
    isClockKnown,
    logger: createTestLogger(),
    request: {},
    payments: { name: 'shop' },
    jettonWallets: {
      find: async () => jettonWallet,
      confirm: async () => (given.isUndeployed === true ? 'undeployed' : 'confirmed'),
    },
    named: {
      find: (hint: OrderHint) => [[], namedBy(named, hint, true), [], namedBy(named, hint, false)],
      completedBy: (hint: OrderHint) => completed.filter(({ comment }) => comment === hint.comment),
      isPayable: (_: OrderHint, { txHash }: Arrival) => given.isPayable?.(txHash) ?? true,
    },
  } as unknown as Run
  return matchTrace(candidate, run)
}

const key = (reference: string, merchant = '') => ({ reference, merchant })

describe('the orders of a trace', () => {
  it('are those that its messages name', async () => {
    const found = await match([arrivalOf(['a'])], { named: [orderOf('a'), orderOf('b')] })
    expect(found).toMatchObject({
      matches: [{ ...key('a'), isTooOld: false, message: { comment: 'a' } }],
      credits: [{ txHash: 'credit', order: { ...key('a'), name: 'shop' } }],
      unnamed: [],
      isUnsettled: false,
      isPaidWhole: true,
      ambiguous: [],
    })
  })

  it('are named by the message that is the closest to the money', async () => {
    const named = [orderOf('a'), orderOf('b')]
    const { matches } = await match([arrivalOf(['a', 'b', undefined])], { named })
    expect(matches).toMatchObject([{ ...key('b'), message: { comment: 'b' } }])
  })

  it('are not looked for in a trace that has not ended', async () => {
    const found = await match([arrivalOf(['a'])], { named: [orderOf('a')], isPending: true })
    expect(found).toMatchObject({ matches: [], credits: [], isUnsettled: true, isPaidWhole: false })
  })

  it('are paid to another wallet: none', async () => {
    const named = [orderOf('a', { recipients: [another] })]
    const found = await match([arrivalOf(['a'])], { named })
    expect(found).toMatchObject({ matches: [], isPaidWhole: false })
    expect(found.credits[0]?.order).toBeUndefined()
    expect(found.unnamed).toMatchObject([{ orders: [] }])
  })

  it('are several of one comment, which an operator sees', async () => {
    const named = [orderOf('a', { merchant: 'ann' }), orderOf('a', { merchant: 'bob' })]
    const both = [key('a', 'ann'), key('a', 'bob')]
    const found = await match([arrivalOf(['a'])], { named })
    expect(found).toMatchObject({ matches: [], ambiguous: [both], isPaidWhole: false })
    expect(found.credits[0]?.order).toBeUndefined()
    expect(found.unnamed).toMatchObject([{ orders: both }])
    const small = await match([arrivalOf(['a'], { rawAmount: 1n })], { named })
    expect(small).toMatchObject({ ambiguous: [both], unnamed: [] })
  })

  it('are also orders of other merchants that the payment has completed', async () => {
    const named = [orderOf('a', { merchant: 'ann' })]
    const completed = (changes: Partial<WatchedOrder>) => [
      orderOf('a', { merchant: 'bob', isOpen: false, ...changes }),
    ]
    const found = (changes: Partial<WatchedOrder>) =>
      match([arrivalOf(['a'])], { named, completed: completed(changes) })
    expect(await found({})).toMatchObject({
      matches: [],
      ambiguous: [[key('a', 'ann'), key('a', 'bob')]],
    })
    expect(await found({ merchant: 'ann' })).toMatchObject({ matches: [key('a', 'ann')] })
    expect(await found({ recipients: [another] })).toMatchObject({ matches: [key('a', 'ann')] })
  })

  it('are submitted first where the money is their payment already', async () => {
    const arrivals = ['one', 'two'].map((txHash) => arrivalOf(['a'], { txHash }))
    const isPayable = (txHash: string) => txHash === 'one'
    const { matches } = await match(arrivals, { named: [orderOf('a')], isPayable })
    expect(matches.map(({ credit }) => credit.txHash)).toEqual(['two', 'one'])
  })
})

describe('an order of an amount', () => {
  const amounts = [amountKey({ recipient: ours, asset: 'TON', rawAmount: 1_000_000_000n })]
  const byAmount = [orderOf('x', { amounts, merchant: 'ann' })]

  it('is paid by it, and not named', async () => {
    const found = await match([arrivalOf(['hello'])], { byAmount })
    expect(found.matches).toMatchObject([{ ...key('x', 'ann'), message: { comment: 'hello' } }])
    expect(found.credits[0]?.order).toBeUndefined()
    expect(found.isPaidWhole).toBe(true)
  })

  it('is not paid by another amount, by coins of a call, or by money from before it', async () => {
    const other = arrivalOf(['hello'], { rawAmount: 1_000_000_001n })
    const call = arrivalOf([], { route: [messageOf(undefined, { opcode: '0x00000007' })] })
    const old = arrivalOf(['hello'], { utime: CREATED - 61 })
    for (const arrival of [other, call, old]) {
      expect((await match([arrival], { byAmount })).matches).toEqual([])
    }
  })

  it('is not paid when the money names another order of its merchant', async () => {
    const closed = (merchant: string) =>
      orderOf('a', { merchant, isOpen: false, createdMs: HEAD * 1000 })
    const arrivals = [arrivalOf(['a'])]
    expect((await match(arrivals, { byAmount, named: [closed('ann')] })).matches).toEqual([])
    expect((await match(arrivals, { byAmount, named: [closed('bob')] })).matches).toHaveLength(1)
  })

  it('is paid although the money is older than an order that it names', async () => {
    const named = [orderOf('a', { createdMs: HEAD * 1000 })]
    const { matches } = await match([arrivalOf(['a'])], { byAmount, named })
    expect(matches).toMatchObject([{ ...key('x', 'ann'), isTooOld: false }])
  })
})

describe('a payment that is older than its order', () => {
  const arrivals = [arrivalOf(['a'], { utime: CREATED - 61 })]
  const named = [orderOf('a')]

  it('names it, and does not pay it', async () => {
    const found = await match(arrivals, { named })
    expect(found).toMatchObject({
      matches: [{ ...key('a'), isTooOld: true }],
      credits: [{ order: { ...key('a'), name: 'shop' } }],
      isUnsettled: false,
      isPaidWhole: false,
    })
  })

  it('is looked at again while the clock is not known', async () => {
    const found = await match(arrivals, { named, isClockKnown: false })
    expect(found).toMatchObject({ matches: [], unnamed: [], isUnsettled: true })
    expect(found.credits).toHaveLength(1)
  })

  it('is distinguished from a newer one while the clock is not known', async () => {
    const { matches, isUnsettled } = await match([arrivalOf(['a'])], { named, isClockKnown: false })
    expect({ matches, isUnsettled }).toMatchObject({ matches: [key('a')], isUnsettled: false })
  })

  it('pays it when the clock was ahead', async () => {
    const { matches } = await match(arrivals, { named, clockAheadMs: 60_000 })
    expect(matches).toMatchObject([{ isTooOld: false }])
  })

  it('pays an older order instead, and none that is closed', async () => {
    const older = orderOf('a', { merchant: 'bob', createdMs: 0, isOpen: false })
    const { matches } = await match(arrivals, { named: [...named, older] })
    expect(matches).toMatchObject([{ ...key('a', 'bob'), isTooOld: false }])
    const found = await match(arrivals, { named: [orderOf('a', { isOpen: false })] })
    expect(found).toMatchObject({ matches: [], unnamed: [{ orders: [] }] })
  })

  it('names the order of the message that is the closest to the money', async () => {
    const both = [arrivalOf(['a', 'b'], { utime: CREATED - 61 })]
    const { matches } = await match(both, { named: [...named, orderOf('b')] })
    expect(matches).toMatchObject([{ ...key('b'), isTooOld: true }])
  })
})

describe('a trace that is paid whole', () => {
  const named = [orderOf('a', { offers: [{ asset: master, rawAmount: 1n }] })]
  const jetton = { transfer: { kind: 'jetton', jetton: master } } as Partial<Arrival>
  const credit = arrivalOf(['a'], { ...jetton, account: jettonWallet, txHash: 'jetton' })

  it('has no other money', async () => {
    const other = arrivalOf(['hello'], { txHash: 'other' })
    expect(await match([credit], { named })).toMatchObject({ isPaidWhole: true })
    expect(await match([credit, other], { named })).toMatchObject({ isPaidWhole: false })
    expect(await match([other], { named })).toMatchObject({ isPaidWhole: false })
    expect(await match([], { named })).toMatchObject({ isPaidWhole: false })
  })

  it('may have the coins that its jetton wallet attaches', async () => {
    const coins = (notifier: string) => arrivalOf(['hello'], { txHash: 'coins', notifier })
    expect(await match([credit, coins(jettonWallet)], { named })).toMatchObject({
      isPaidWhole: true,
    })
    expect(await match([credit, coins(payer)], { named })).toMatchObject({ isPaidWhole: false })
  })
})

describe('a small credit of jettons', () => {
  const jetton = { transfer: { kind: 'jetton', jetton: master } } as Partial<Arrival>
  const credit = arrivalOf(['a'], { ...jetton, account: jettonWallet, rawAmount: 1n })
  const younger = { isOpen: false, createdMs: HEAD * 1000 }
  const inJetton = orderOf('x', { offers: [{ asset: master, rawAmount: 1_000_000n }] })

  it('is seen by an operator when it names closed or several orders in another asset', async () => {
    const closed = await match([credit], { named: [orderOf('a', younger)] })
    expect(closed.unnamed).toMatchObject([{ orders: [] }])
    const named = ['ann', 'bob'].map((merchant) => orderOf('a', { merchant }))
    expect((await match([credit], { named })).unnamed).toMatchObject([
      { orders: [key('a', 'ann'), key('a', 'bob')] },
    ])
  })

  it('is not seen when it names no order, or one of another wallet', async () => {
    const byAmount = [inJetton]
    expect((await match([credit], { byAmount })).unnamed).toEqual([])
    const named = [orderOf('a', { ...younger, recipients: [another] })]
    const found = await match([credit], { byAmount, named })
    expect(found.credits).toHaveLength(1)
    expect(found.unnamed).toEqual([])
  })

  it('is looked at again while the node has no contract at its jetton wallet', async () => {
    const named = [orderOf('a', { offers: inJetton.offers })]
    const found = await match([credit], { named, isUndeployed: true })
    expect(found).toMatchObject({ credits: [], isUnsettled: true })
  })
})

it('has the hints of each message of a trace once', () => {
  const message = messageOf('a')
  const arrivals = ['one', 'two'].map((txHash) => arrivalOf([], { txHash, route: [message] }))
  expect(hintsOf({ arrivals } as unknown as CandidateTrace)).toEqual([
    { bodyHash: undefined, comment: 'a' },
  ])
})
