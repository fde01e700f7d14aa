import { memoryInbox } from '@tonplug/core'
import { createManualClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'
import { HOUR_MS, scriptedProof, UNSEEN } from './scripted-proof.js'

const DAY_MS = 24 * HOUR_MS
const told = transferCompleted()
const recipients = [told.data.recipientAddr]
/** The same payment, told by somebody who lies about its sender. */
const lie = transferCompleted({ senderAddr: told.data.recipientAddr })

/** A shop whose one delivery was given up, since the chain did not show its payment. */
async function openUnverified() {
  const proof = scriptedProof(UNSEEN)
  const inbox = memoryInbox()
  const shop = openShop([order()], { inbox, recipients, verifyOnChain: proof })
  expect(await shop.decide(lie)).toBe('verifying')
  await shop.clock.advance(HOUR_MS + 1000)
  const [dead] = await inbox.listDead({ limit: 2 })
  expect(dead).toMatchObject({ handler: 'verifyOnChain', error: 'not_found: nothing there' })
  proof.verdict = undefined
  const replay = async (): Promise<void> => {
    expect(await inbox.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
    await shop.clock.advance(5000)
  }
  return { ...shop, inbox, proof, replay }
}

describe('a proof that is replayed', () => {
  it('S58 ships nothing twice, however long ago another delivery of the payment was handled', async () => {
    const shop = await openUnverified()
    expect(await shop.decide(told)).toBe('verifying')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    const { inbox, proof, shipped, orders } = shop
    const clock = createManualClock({ startMs: shop.clock.nowMs() + 4 * DAY_MS })
    openShop([], {
      clock,
      inbox,
      orders,
      recipients,
      verifyOnChain: proof,
      retentionMs: DAY_MS,
      onPaid: () => void shipped.push('again'),
    })
    await clock.advance(1000)
    expect(await inbox.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
    await clock.advance(5000)
    expect(await inbox.listDead({ limit: 1 })).toEqual([])
    expect(shipped).toEqual(['order-1'])
    // Both are done with now.
    await clock.advance(HOUR_MS)
    expect(await inbox.find('delivery-1')).toBe(null)
  })

  it.each([
    ['cancelled', 'paid_after_cancel'],
    ['paid otherwise', 'extra_payment'],
  ])('ends dead for an order that was %s, so that somebody is told', async (how, kind) => {
    const shop = await openUnverified()
    if (how === 'cancelled') shop.orders.cancel('order-1')
    else await shop.send(transferCompleted({ txHash: 'ab'.repeat(32) }))
    await shop.settle()
    for (const _ of ['once', 'and again']) {
      await shop.replay()
      const dead = await shop.inbox.listDead({ limit: 2 })
      expect(dead).toMatchObject([
        {
          handler: 'verifyOnChain',
          error: expect.stringContaining(`the rules say ${kind} by now`),
        },
      ])
    }
    expect(shop.shipped).toEqual(how === 'cancelled' ? [] : ['order-1'])
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'a replayed proof came too late for its order',
        fields: expect.objectContaining({ reference: 'order-1', kind }),
      }),
    )
  })

  it('is done for an order that the same payment has paid', async () => {
    const shop = await openUnverified()
    expect(await shop.decide(told)).toBe('verifying')
    await shop.settle()
    await shop.replay()
    expect(await shop.inbox.listDead({ limit: 1 })).toEqual([])
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('pays an order on time that expired since its webhook came', async () => {
    const shop = await openUnverified()
    shop.orders.expire('order-1')
    await shop.replay()
    expect(shop.orders.all()[0]).toMatchObject({ status: 'completed', payment: { late: false } })
  })
})

describe('an order that had expired when its webhook came', () => {
  it.each([
    ['proven at once', 0],
    ['proven later', 60_000],
    ['given up, and proven by a replay', 2 * HOUR_MS],
  ])('is paid late: %s', async (_, provenAfterMs) => {
    const proof = scriptedProof(UNSEEN)
    const inbox = memoryInbox()
    const shop = openShop([order({ status: 'expired' })], {
      inbox,
      recipients,
      verifyOnChain: proof,
    })
    expect(await shop.decide(told)).toBe('verifying')
    await shop.clock.advance(provenAfterMs)
    proof.verdict = undefined
    await inbox.replayWhere({})
    await shop.clock.advance(60_000)
    expect(shop.orders.all()[0]).toMatchObject({ status: 'completed', payment: { late: true } })
  })
})

describe('a proof whose servers went away before they looked', () => {
  it('looks twice, and once after its deadline, before it gives up', async () => {
    const inbox = memoryInbox()
    const proof = scriptedProof(UNSEEN)
    const killed = openShop([order()], {
      inbox,
      recipients,
      // Its clock stands still from here on.
      verifyOnChain: { ...proof, prove: () => new Promise(() => undefined) },
    })
    expect(await killed.decide(told)).toBe('verifying')
    await killed.settle()
    const clock = createManualClock({ startMs: killed.clock.nowMs() + 2 * HOUR_MS })
    openShop([], { inbox, recipients, orders: killed.orders, clock, verifyOnChain: proof })
    await clock.advance(1000)
    expect(proof.looks).toBe(1)
    expect(await inbox.listDead({ limit: 1 })).toEqual([])
    await clock.advance(2000)
    expect(proof.looks).toBe(2)
    expect(await inbox.listDead({ limit: 1 })).toHaveLength(1)
  })

  it('S54 looks once more when its last look began before the deadline', async () => {
    const begunMs: number[] = []
    const inbox = memoryInbox()
    const shop = openShop([order()], {
      inbox,
      recipients,
      verifyOnChain: {
        deadlineMs: 8000,
        prove: async () => {
          begunMs.push(shop.clock.nowMs() - startMs)
          await new Promise<void>((resolve) => shop.clock.setTimer(resolve, 4000))
          return UNSEEN
        },
      },
    })
    const startMs = shop.clock.nowMs()
    expect(await shop.decide(told)).toBe('verifying')
    await shop.clock.advance(60_000)
    expect(begunMs).toEqual([0, 6000, 10_000])
    expect(await inbox.listDead({ limit: 1 })).toHaveLength(1)
  })
})
