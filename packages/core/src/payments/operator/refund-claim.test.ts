import { describe, expect, it } from 'vitest'
import { checkedInbox } from '../inbox/checked-inbox.js'
import type { NewCredit } from '../inbox/inbox-credits.js'
import type { Inbox } from '../inbox/inbox.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import type { VerifiedPayment } from '../ledger/payment-verifier.js'
import { claimRefund, releaseRefund } from './refund-claim.js'

const WALLET = `0:${'1'.repeat(64)}`
const hash = (digit: string): string => digit.repeat(64)

/** Returns a part of a payment that a contract passed on in two messages. */
const part = (id: string, rawAmount: bigint): NewCredit => ({
  id,
  account: WALLET,
  wallet: WALLET,
  txHash: hash(id),
  asset: 'TON',
  rawAmount,
  traceId: hash('9'),
  utime: 1000,
  route: [
    {
      hash: hash('8'),
      sender: `0:${'2'.repeat(64)}`,
      recipient: `0:${'3'.repeat(64)}`,
      value: 10n,
      bodyHash: hash('7'),
      isCommentEncrypted: false,
      transaction: hash('6'),
      fees: 0n,
      isShared: false,
    },
  ],
})

const PAYMENT: VerifiedPayment = {
  message: hash('8'),
  credits: ['a', 'b'],
  txHash: hash('a'),
  amount: 10n,
  utime: 1000,
  transactions: [hash('a'), hash('b')],
}

/** Returns the claimed amount; `undefined` where an order has the money. */
function amountOf(refund: Awaited<ReturnType<typeof claimRefund>>): bigint | undefined {
  return refund === 'used' || refund === 'undecided' ? undefined : refund.payment.amount
}

describe('a refund of a payment that arrived as two credits', () => {
  it('S137 claims both again after it was released unsent', async () => {
    const inbox = checkedInbox(memoryInbox())
    await inbox.credits.store([part('a', 6n), part('b', 4n)])
    const orders = { find: async () => null }
    const context = { name: 'default', inbox, orders, merchant: '' }
    const transfer = {
      reference: '',
      rawAmount: '10',
      asset: 'TON',
      recipientAddr: WALLET,
      senderAddr: `0:${'2'.repeat(64)}`,
      txHash: hash('a'),
      traceId: hash('9'),
    }
    const money = { txHash: hash('a'), transfer, payments: [], reports: [] }
    const first = await claimRefund(context, money as never, {
      payment: PAYMENT,
      attempt: 1,
      isProposed: false,
    })
    expect(first).toMatchObject({ payment: { amount: 10n } })
    await releaseRefund(context, { payment: PAYMENT, attempt: 1 })
    const left = await inbox.credits.find({ ids: ['a', 'b'] })
    expect(left.flatMap(({ uses }) => uses)).toEqual([])
    const second = await claimRefund(context, money as never, {
      payment: PAYMENT,
      attempt: 2,
      isProposed: false,
    })
    expect(second).toMatchObject({ payment: { amount: 10n }, attempt: 2 })
  })
})

describe('a refund of one of two equal payments in one trace', () => {
  const named = { name: 'default', merchant: '', reference: 'order-1', state: 'decided' }
  const repeated = {
    ...named,
    source: 'webhook',
    payments: [],
    decision: { kind: 'duplicate', first: 'paid' },
  }
  const extra = { ...named, source: 'chain', payments: [], decision: { kind: 'extra_payment' } }
  const ofNobody = { ...extra, reference: '', decision: { kind: 'unknown_order' } }

  it.each([
    ['refunds the payment that the chain shows as the extra one', [repeated, extra], 10n],
    ['keeps the payment that a webhook repeats', [repeated], undefined],
    ['keeps it where the chain shows no order', [repeated, ofNobody], undefined],
    [
      'keeps it where it is an extra payment of another order',
      [repeated, { ...extra, reference: 'order-2' }],
      undefined,
    ],
  ])('decides after a webhook that repeats the paid report: %s', async (_, reports, amount) => {
    const inbox = checkedInbox(memoryInbox())
    await inbox.credits.store([part('a', 6n), part('b', 4n)])
    const payment = { txHash: hash('c'), traceId: hash('9'), source: 'webhook' }
    const order = { reference: 'order-1', status: 'completed', payment }
    const orders = { find: async () => order as never }
    const context = { name: 'default', inbox, orders, merchant: '' }
    const transfer = { txHash: hash('a'), traceId: hash('9') }
    const money = { txHash: hash('a'), transfer, payments: [], reports }
    const refund = await claimRefund(context, money as never, {
      payment: PAYMENT,
      attempt: 1,
      isProposed: false,
    })
    expect(amountOf(refund)).toBe(amount)
  })
})

describe('a refund of the surplus of a payment that two sources have named', () => {
  const of = { name: 'default', merchant: '', reference: 'order-1' }
  const price = { payments: ['credit:a'], usedAmount: 4n }

  it.each([
    ['the trace', hash('9'), [], 2n],
    ['a transaction on the way', hash('6'), [], 2n],
    ['the trace, which is linked to another payment of it', hash('9'), [hash('9')], undefined],
    ['another payment', hash('5'), [], undefined],
  ])(
    'S134 knows the order whose payment names %s',
    async (_, txHash, linked: string[], surplus) => {
      const inbox = checkedInbox(memoryInbox())
      await inbox.credits.store([part('a', 6n), part('b', 6n)])
      expect(await inbox.credits.claim({ ...of, ...price, payment: hash('a') })).toBe(true)
      for (const payment of linked) {
        expect(await inbox.credits.claim({ ...of, payments: ['credit:b'], payment })).toBe(true)
      }
      const payment = { txHash, traceId: hash('9'), source: 'webhook' }
      const order = { reference: 'order-1', status: 'completed', payment }
      const orders = { find: async () => order as never }
      const context = { name: 'default', inbox, orders, merchant: '' }
      const paid = { ...of, source: 'webhook', payments: [], decision: { kind: 'paid' } }
      const transfer = { txHash, traceId: hash('9') }
      const money = { txHash, transfer, payments: [], reports: [paid] }
      const alone: VerifiedPayment = { ...PAYMENT, credits: ['a'], amount: 6n }
      const refund = await claimRefund(context, money as never, {
        payment: alone,
        attempt: 1,
        isProposed: false,
      })
      expect(amountOf(refund)).toBe(surplus)
    },
  )
})

describe('a refund of money that an open order uses a part of', () => {
  const claimed = { name: 'default', merchant: '', reference: 'order-1', payments: ['credit:a'] }
  const order = { ...claimed, usedAmount: 4n, payment: hash('a') }
  const given = { payment: { ...PAYMENT, credits: ['a'] as const, amount: 6n }, attempt: 1 }

  async function openRefund(beforeClaim: (inbox: Inbox) => Promise<unknown>) {
    const stored = memoryInbox()
    await stored.credits.store([part('a', 6n)])
    const claim: Inbox['credits']['claim'] = async (one) => {
      await beforeClaim(stored)
      return stored.credits.claim(one)
    }
    const inbox = checkedInbox({ ...stored, credits: { ...stored.credits, claim } })
    const orders = { find: async () => ({ reference: 'order-1', status: 'pending' }) as never }
    const context = { name: 'default', inbox, orders, merchant: '' }
    const transfer = { txHash: hash('a'), traceId: hash('9') }
    const money = { txHash: hash('a'), transfer, payments: [], reports: [] }
    return {
      stored,
      refund: () => claimRefund(context, money as never, { ...given, isProposed: false }),
      uses: async () => (await stored.credits.find({ ids: ['a'] })).flatMap(({ uses }) => uses),
    }
  }

  it('claims nothing of it', async () => {
    const { stored, refund, uses } = await openRefund(async () => undefined)
    await stored.credits.claim(order)
    expect(await refund()).toBe('used')
    expect(await uses()).toMatchObject([{ kind: 'order', rawAmount: 4n }])
  })

  it('ends its claim when the order has claimed the part at the same moment', async () => {
    const { refund } = await openRefund((stored) => stored.credits.claim(order))
    expect(await refund()).toMatchObject({ isUndecided: true, payment: { amount: 2n } })
  })
})
