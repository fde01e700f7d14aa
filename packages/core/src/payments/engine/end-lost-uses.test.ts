import { expect, it } from 'vitest'
import { checkedInbox } from '../inbox/checked-inbox.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import type { NewCredit } from '../inbox/inbox-credits.js'
import type { Decision } from '../orders/decision.js'
import { settleLostUses } from './end-lost-uses.js'

const WALLET = `0:${'1'.repeat(64)}`
const KEY = { name: 'default', merchant: '', reference: 'order-1' }
const hash = (digit: string): string => digit.repeat(64)

/** Returns a part of a sum, in a trace of its own. */
const part = (id: string): NewCredit => ({
  id,
  account: WALLET,
  wallet: WALLET,
  txHash: hash(id),
  asset: 'TON',
  rawAmount: 5n,
  traceId: hash(id),
  utime: 1000,
  route: [
    {
      hash: hash('8'),
      sender: `0:${'2'.repeat(64)}`,
      recipient: WALLET,
      value: 5n,
      isCommentEncrypted: false,
      transaction: hash(id),
      fees: 0n,
      isShared: false,
    },
  ],
})

it('ends the use of the part that lost, and keeps a part that both sums have claimed', async () => {
  const inbox = checkedInbox(memoryInbox())
  await inbox.credits.store([part('a'), part('b'), part('c')])
  // Two sums that reach the price: the first one completes the order, although the second one has claimed last.
  for (const [payments, last] of [
    [['credit:a', 'credit:b'], 'a'],
    [['credit:b', 'credit:c'], 'c'],
  ] as const) {
    expect(await inbox.credits.claim({ ...KEY, payments, payment: hash(last) })).toBe(true)
  }
  const decision = {
    kind: 'extra_payment',
    reference: 'order-1',
    txHash: hash('c'),
    completedBy: hash('a'),
  } as Decision
  const report = { ...KEY, txHash: hash('c'), payments: [] }
  const order = { reference: 'order-1', payment: { txHash: hash('a') } }
  const transfer = { txHash: hash('c'), traceId: hash('c') }
  await settleLostUses({ inbox, joined: undefined }, decision, { report, transfer, order } as never)
  const credits = await inbox.credits.find({ ids: ['a', 'b', 'c'] })
  expect(credits.map(({ id, uses }) => `${id} ${uses.length}`)).toEqual(['a 1', 'b 1', 'c 0'])
})

it.each([
  [['credit:a', 'credit:b'], 'credit:b'],
  [['credit:a', 'credit:b'], 'credit:a'],
  [['credit:b', 'credit:a'], 'credit:b'],
  [['credit:b', 'credit:a'], 'credit:a'],
])(
  'lets the credits %j keep the hash of the payment when a webhook has claimed %s last, by another transaction',
  async (payments, last) => {
    const inbox = checkedInbox(memoryInbox())
    await inbox.credits.store([part('a'), part('b')])
    await inbox.credits.claim({ ...KEY, payments, payment: hash('b') })
    await inbox.credits.claim({ ...KEY, payments: [last], payment: hash('e') })
    await inbox.reports.store({
      ...KEY,
      key: 'b',
      source: 'chain',
      signedWith: '',
      txHash: hash('b'),
      payments: [],
      rawBody: '{}',
      wasCompletedBefore: false,
      retryInMs: 1000,
      decision: {
        kind: 'paid',
        reference: 'order-1',
        txHash: hash('b'),
        parts: [{ txHash: hash('a') }, { txHash: hash('b') }],
      } as unknown as Decision,
    })
    const decision = {
      kind: 'extra_payment',
      txHash: hash('e'),
      completedBy: hash('b'),
    } as Decision
    const report = { ...KEY, txHash: hash('e'), payments: [] }
    const order = { reference: 'order-1', payment: { txHash: hash('b') } }
    const transfer = { txHash: hash('e'), traceId: hash('b') }
    await settleLostUses({ inbox, joined: undefined }, decision, {
      report,
      transfer,
      order,
    } as never)
    const credits = await inbox.credits.find({ ids: ['a', 'b'] })
    expect(credits.map(({ uses }) => uses.map(({ payment }) => payment))).toEqual([
      [hash('b')],
      [hash('b')],
    ])
  },
)

it('ends the use of a payment that lost when the payment of the order is linked by its own hash', async () => {
  const inbox = checkedInbox(memoryInbox())
  await inbox.credits.store([part('a'), part('b')])
  for (const id of ['a', 'b'] as const) {
    await inbox.credits.claim({ ...KEY, payments: [`credit:${id}`], payment: hash(id) })
  }
  await inbox.reports.store({
    ...KEY,
    key: 'a',
    source: 'webhook',
    signedWith: '',
    txHash: hash('a'),
    payments: [],
    rawBody: '{}',
    wasCompletedBefore: false,
    retryInMs: 1000,
    decision: { kind: 'paid', reference: 'order-1', txHash: hash('a') } as Decision,
  })
  const decision = { kind: 'duplicate', txHash: hash('a'), completedBy: hash('a') } as Decision
  const report = { ...KEY, txHash: hash('a'), payments: ['credit:a'] }
  const order = { reference: 'order-1', payment: { txHash: hash('a') } }
  await settleLostUses({ inbox, joined: undefined }, decision, { report, order } as never)
  const credits = await inbox.credits.find({ ids: ['a', 'b'] })
  expect(credits.map(({ id, uses }) => `${id} ${uses.length}`)).toEqual(['a 1', 'b 0'])
})

it.each([
  ['end with an order that was cancelled before it was completed', undefined, 0],
  ['stay with an order that was cancelled after it was completed', { txHash: hash('a') }, 1],
])('settles uses that %s', async (_, payment, count) => {
  const inbox = checkedInbox(memoryInbox())
  await inbox.credits.store([part('a')])
  await inbox.credits.claim({ ...KEY, payments: ['credit:a'], payment: hash('a') })
  const decision = { kind: 'paid_after_cancel', txHash: hash('a') } as Decision
  const report = { ...KEY, txHash: hash('a'), payments: [] }
  const order = { reference: 'order-1', status: 'cancelled', payment }
  await settleLostUses({ inbox, joined: undefined }, decision, { report, order } as never)
  expect((await inbox.credits.find({ ids: ['a'] }))[0]?.uses).toHaveLength(count)
})
