import { memoryInbox, type Inbox, type PaymentVerifier } from '@tonplug/core'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type Shop } from '../shop.js'
import { scriptedProof, UNSEEN } from './scripted-proof.js'

const report = transferCompleted()
const { txHash } = report.data
const wallets = [report.data.recipientAddr]

describe('a custom proof of the shop', () => {
  it.each<[string, () => unknown]>([
    ['throws', () => Promise.reject(new TypeError('no'))],
    ['throws at once', () => void JSON.parse('{')],
    ['never settles', () => new Promise(() => undefined)],
    ['returns nothing', () => Promise.resolve()],
    ['proves no payment', () => Promise.resolve({ kind: 'verified', payments: [] })],
    [
      'states no credit',
      () =>
        Promise.resolve({
          kind: 'verified',
          payments: [{ message: 'm', credits: [], amount: 1n }],
        }),
    ],
  ])('does not extend the deadline, and pays nothing, when it %s', async (_, answer) => {
    // JavaScript callers may pass anything, whatever the types say.
    const prove = answer as PaymentVerifier['verify']
    const verifyOnChain = { deadlineMs: 60_000, verify: prove }
    const shop = openShop([order()], { wallets, verifyOnChain })
    expect(await shop.decide(report)).toBe('verifying')
    await shop.clock.advance(400_000)
    expect(await shop.inbox.tasks.listDead({ limit: 2 })).toMatchObject([
      { handler: 'verifyOnChain', error: expect.stringMatching(/^unreachable: verifyOnChain/) },
    ])
    expect(shop.shipped).toEqual([])
  })
})

it('leaves no dead letter of a report that is decided otherwise during the last attempt', async () => {
  const proof = scriptedProof(UNSEEN, 60_000)
  let shop: Shop | undefined
  const verifyOnChain: PaymentVerifier = {
    deadlineMs: proof.deadlineMs,
    async verify(claim, options) {
      const isLast = shop !== undefined && shop.clock.nowMs() - startMs >= 60_000
      if (isLast) {
        const payment = { ...report.data, rawAmount: 1n, txHash: 'ab'.repeat(32), isLate: false }
        await shop?.orders.complete({ reference: 'order-1' }, payment)
        await shop?.payments.orderCreated('order-1')
      }
      return proof.verify(claim, options)
    },
  }
  shop = openShop([order()], { wallets, verifyOnChain })
  const { inbox } = shop
  const startMs = shop.clock.nowMs()
  await shop.decide(report)
  await shop.clock.advance(400_000)
  expect(await inbox.reports.find('report-1')).toMatchObject({
    decision: { kind: 'extra_payment' },
  })
  expect(await inbox.tasks.listDead({ limit: 1 })).toEqual([])
  // The chain has not shown the extra payment.
  expect(await inbox.stats()).toMatchObject({ parked: 1, open: 0, dead: 0 })
})

it('S115 reports an extra payment at once when the proof compares amounts with the order', async () => {
  const events: string[] = []
  const script = scriptedProof()
  const verifyOnChain: PaymentVerifier = {
    deadlineMs: script.deadlineMs,
    async verify(claim, options) {
      const { transfer, order } = claim
      if (BigInt(transfer.rawAmount) === order.rawAmount) return script.verify(claim, options)
      const detail = `the order costs ${order.rawAmount}`
      return { kind: 'contradicted', reason: 'other_amount', detail }
    },
  }
  const shop = openShop([order()], {
    wallets,
    verifyOnChain,
    onExtraPayment: ({ order: { reference } }) => void events.push(`extra ${reference}`),
  })
  for (const hash of ['1', '2']) {
    const named = { txHash: hash.repeat(64), traceId: hash.repeat(64) }
    await shop.send(transferCompleted(named))
    await shop.clock.advance(10_000)
  }
  expect([shop.shipped, events]).toEqual([['order-1'], ['extra order-1']])
})

describe('the claim of a payment', () => {
  it('pays the order for which an earlier attempt claimed the payment', async () => {
    const shop = openShop([order()], { wallets, verifyOnChain: scriptedProof() })
    const key = { name: 'default', merchant: '', reference: 'order-1' }
    await shop.inbox.credits.claim({ ...key, payments: [`credit:${txHash}`, `tx:${txHash}`] })
    await shop.decide(report)
    await shop.clock.advance(5000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it.each([`credit:${txHash}`, `tx:${txHash}`])(
    'S82 pays nothing with %s of another order',
    async (payment) => {
      const shop = openShop([order()], { wallets, verifyOnChain: scriptedProof() })
      const key = { name: 'default', merchant: '', reference: 'order-2' }
      await shop.inbox.credits.claim({ ...key, payments: [payment] })
      expect(await shop.decide(report)).toBe('verifying')
      await shop.clock.advance(5000)
      expect(shop.shipped).toEqual([])
      expect(await shop.inbox.reports.find('report-1')).toMatchObject({
        decision: { kind: 'unverified', reason: 'reused' },
      })
    },
  )

  it('is retried while the inbox is not reachable, and pays nothing until then', async () => {
    let isDown = true
    const shop = openShop([order()], {
      wallets,
      verifyOnChain: scriptedProof(),
      inbox: (memory): Inbox => ({
        ...memory,
        credits: {
          ...memory.credits,
          claim: (query) =>
            isDown ? Promise.reject(new Error('down')) : memory.credits.claim(query),
        },
      }),
    })
    await shop.decide(report)
    await shop.clock.advance(600_000)
    expect(shop.shipped).toEqual([])
    isDown = false
    await shop.clock.advance(600_000)
    expect(shop.shipped).toEqual(['order-1'])
  })
})

describe('two Payments that share an inbox', () => {
  it('S119 prove one payment for one order of all', async () => {
    const clock = createFakeClock()
    const inbox = memoryInbox({ clock })
    const verifyOnChain = scriptedProof()
    const orders = [order(), order({ reference: 'order-2' })]
    const shops = ['a', 'b'].map((name) =>
      openShop(orders, { inbox, clock, wallets, verifyOnChain, name }),
    )
    for (const shop of shops) {
      expect(await shop.decide(report)).toBe('verifying')
      expect(await shop.decide(transferCompleted({ reference: 'order-2', txHash }))).toBe(
        'verifying',
      )
      await clock.advance(5000)
    }
    expect(shops.map(({ shipped }) => shipped)).toEqual([['order-1'], []])
  })
})

it.each([
  ['without', undefined],
  ['with', scriptedProof()],
])('S82 claims no payment for a cancelled order, %s a proof', async (_, verifyOnChain) => {
  const orders = [order({ status: 'cancelled' }), order({ reference: 'order-2' })]
  const shop = openShop(orders, { wallets, verifyOnChain })
  await shop.send(report)
  await shop.clock.advance(10_000)
  expect(await shop.inbox.reports.find('report-1')).toMatchObject({
    decision: { kind: 'paid_after_cancel' },
  })
  await shop.send(transferCompleted({ reference: 'order-2', txHash }))
  await shop.clock.advance(10_000)
  expect(shop.shipped).toEqual(['order-2'])
})
