import { memoryInbox, type PaymentProof } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'
import { scriptedProof } from './scripted-proof.js'

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
