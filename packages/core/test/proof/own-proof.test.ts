import { memoryInbox, type Inbox, type PaymentProof } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type Shop } from '../shop.js'
import { scriptedProof, UNSEEN } from './scripted-proof.js'

const told = transferCompleted()
const recipients = [told.data.recipientAddr]

describe("a proof of the shop's own", () => {
  it.each<[string, () => unknown]>([
    ['throws', () => Promise.reject(new TypeError('no'))],
    ['throws at once', () => void JSON.parse('{')],
    ['never answers', () => new Promise(() => undefined)],
    ['answers nothing', () => Promise.resolve()],
    ['proves no payment', () => Promise.resolve({ kind: 'proven', payments: [] })],
    [
      'does not tell the money',
      () =>
        Promise.resolve({ kind: 'proven', payments: [{ message: 'm', credits: [], amount: 1n }] }),
    ],
  ])('that %s keeps no payment from its deadline, and pays nothing', async (_, answer) => {
    const inbox = memoryInbox()
    // What callers in JavaScript may give.
    const prove = answer as PaymentProof['prove']
    const verifyOnChain = { deadlineMs: 60_000, prove }
    const shop = openShop([order()], { inbox, recipients, verifyOnChain })
    expect(await shop.decide(told)).toBe('verifying')
    await shop.clock.advance(400_000)
    expect(await inbox.listDead({ limit: 2 })).toMatchObject([
      { handler: 'verifyOnChain', error: expect.stringMatching(/^unreachable: verifyOnChain/) },
    ])
    expect(shop.shipped).toEqual([])
  })
})

it('leaves no dead letter of what was decided otherwise during the last look', async () => {
  const inbox = memoryInbox()
  const proof = scriptedProof(UNSEEN, 60_000)
  let shop: Shop | undefined
  const verifyOnChain: PaymentProof = {
    deadlineMs: proof.deadlineMs,
    async prove(claim, options) {
      const isLast = shop !== undefined && shop.clock.nowMs() - startMs >= 60_000
      if (isLast) {
        const payment = { ...told.data, rawAmount: 1n, txHash: 'ab'.repeat(32), late: false }
        await shop?.orders.complete('order-1', payment)
        await shop?.receiver.matchReference('order-1')
      }
      return proof.prove(claim, options)
    },
  }
  shop = openShop([order()], { inbox, recipients, verifyOnChain })
  const startMs = shop.clock.nowMs()
  await shop.decide(told)
  await shop.clock.advance(400_000)
  expect(await inbox.find('delivery-1')).toMatchObject({ decision: { kind: 'extra_payment' } })
  expect(await inbox.listDead({ limit: 1 })).toEqual([])
  expect(await inbox.stats()).toMatchObject({ parked: 0, open: 0, dead: 0 })
})

describe('the claim of a payment', () => {
  it('that was made for the order before, by its reference alone, still pays it', async () => {
    const inbox = memoryInbox()
    await inbox.claimPayment?.({ payment: told.data.txHash, reference: 'order-1' })
    const shop = openShop([order()], { inbox, recipients, verifyOnChain: scriptedProof() })
    await shop.decide(told)
    await shop.clock.advance(5000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('that an inbox does not answer pays nothing, and refuses nothing', async () => {
    let isForgetful = true
    const inbox: Inbox = {
      ...memoryInbox(),
      // What callers in JavaScript may give.
      claimPayment: async ({ reference }) =>
        isForgetful ? (undefined as unknown as string) : reference,
    }
    const shop = openShop([order()], { inbox, recipients, verifyOnChain: scriptedProof() })
    await shop.decide(told)
    await shop.clock.advance(600_000)
    expect(shop.shipped).toEqual([])
    isForgetful = false
    await shop.clock.advance(600_000)
    expect(shop.shipped).toEqual(['order-1'])
  })
})

describe('two receivers that share an inbox', () => {
  it('S60 do not take one payment for an order of each, by whichever names', async () => {
    const inbox = memoryInbox()
    const verifyOnChain = scriptedProof()
    const shops = ['default', 'a', 'b'].map((name) =>
      openShop([order()], { inbox, recipients, verifyOnChain, name }),
    )
    for (const shop of shops) {
      expect(await shop.decide(told)).toBe('verifying')
      await shop.clock.advance(5000)
    }
    expect(shops.map(({ shipped }) => shipped)).toEqual([['order-1'], [], []])
  })
})
