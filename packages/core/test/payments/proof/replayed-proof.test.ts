import { memoryInbox } from '@tonplug/core'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'
import { HOUR_MS, scriptedProof, UNSEEN } from './scripted-proof.js'

const DAY_MS = 24 * HOUR_MS
const report = transferCompleted()
const wallets = [report.data.recipientAddr]
/** A report of the same payment with another sender. */
const falseReport = transferCompleted({ senderAddr: report.data.recipientAddr })

/** A shop whose one delivery was given up, since the chain did not show its payment. */
async function openUnverified() {
  const proof = scriptedProof(UNSEEN)
  const shop = openShop([order()], { wallets, verifyOnChain: proof })
  const { inbox } = shop
  expect(await shop.decide(falseReport)).toBe('verifying')
  await shop.clock.advance(HOUR_MS + 1000)
  const [dead] = await inbox.tasks.listDead({ limit: 2 })
  expect(dead).toMatchObject({ handler: 'verifyOnChain', error: 'not_found: nothing there' })
  proof.verdict = undefined
  const replay = async (): Promise<void> => {
    expect(await inbox.tasks.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
    await shop.clock.advance(5000)
  }
  return { ...shop, proof, replay }
}

describe('a proof that is replayed', () => {
  it('S58 runs no handler twice after the retention of another report of the payment', async () => {
    const shop = await openUnverified()
    expect(await shop.decide(report)).toBe('verifying')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    const { inbox, proof, shipped, orders, clock } = shop
    await shop.close()
    await clock.advance(4 * DAY_MS)
    openShop([], {
      clock,
      inbox,
      orders,
      wallets,
      verifyOnChain: proof,
      retentionMs: DAY_MS,
      onPaid: () => void shipped.push('again'),
    })
    await clock.advance(1000)
    expect(await inbox.tasks.replayWhere({ handler: 'verifyOnChain' })).toBe(1)
    await clock.advance(5000)
    expect(await inbox.tasks.listDead({ limit: 1 })).toEqual([])
    expect(shipped).toEqual(['order-1'])
    // Both are done with now.
    await clock.advance(HOUR_MS)
    expect(await inbox.reports.find('report-1')).toBe(null)
  })

  it.each([
    ['cancelled', 'paid_after_cancel'],
    ['paid otherwise', 'extra_payment'],
  ])('leaves a dead letter for an order that was %s', async (how, kind) => {
    const shop = await openUnverified()
    if (how === 'cancelled') shop.orders.cancel({ reference: 'order-1' })
    else await shop.send(transferCompleted({ txHash: 'ab'.repeat(32) }))
    await shop.settle()
    for (const _ of ['once', 'and again']) {
      await shop.replay()
      const dead = await shop.inbox.tasks.listDead({ limit: 2 })
      expect(dead).toMatchObject([
        {
          handler: 'verifyOnChain',
          error: expect.stringContaining(`the rules now say ${kind}`),
        },
      ])
    }
    expect(shop.shipped).toEqual(how === 'cancelled' ? [] : ['order-1'])
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'replayed proof came too late for its order',
        fields: expect.objectContaining({ reference: 'order-1', kind }),
      }),
    )
  })

  it('ends for an order that the same payment has paid', async () => {
    const shop = await openUnverified()
    expect(await shop.decide(report)).toBe('verifying')
    await shop.settle()
    await shop.replay()
    expect(await shop.inbox.tasks.listDead({ limit: 1 })).toEqual([])
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('pays an order on time that expired after its report', async () => {
    const shop = await openUnverified()
    shop.orders.expire({ reference: 'order-1' })
    await shop.replay()
    expect(shop.orders.all()[0]).toMatchObject({ status: 'completed', payment: { isLate: false } })
  })
})

describe('an order that had expired when its payment was reported', () => {
  it.each([
    ['proven at once', 0],
    ['proven later', 60_000],
    ['unverified, and proven by a replay', 2 * HOUR_MS],
  ])('is paid late: %s', async (_, provenAfterMs) => {
    const proof = scriptedProof(UNSEEN)
    const shop = openShop([order({ status: 'expired' })], {
      wallets,
      verifyOnChain: proof,
    })
    expect(await shop.decide(report)).toBe('verifying')
    await shop.clock.advance(provenAfterMs)
    proof.verdict = undefined
    await shop.inbox.tasks.replayWhere({})
    await shop.clock.advance(60_000)
    expect(shop.orders.all()[0]).toMatchObject({ status: 'completed', payment: { isLate: true } })
  })
})

describe('a proof whose servers were killed before they looked', () => {
  it('is attempted twice, and once after its deadline, before it is unverified', async () => {
    const clock = createFakeClock()
    const inbox = { ...memoryInbox({ clock }), isDurable: true }
    const proof = scriptedProof(UNSEEN)
    const killed = openShop([order()], {
      inbox,
      clock: createFakeClock(),
      wallets,
      // Its own clock stops here, so that its lease is not renewed.
      verifyOnChain: { ...proof, verify: () => new Promise(() => undefined) },
    })
    expect(await killed.decide(report)).toBe('verifying')
    await killed.settle()
    await clock.advance(2 * HOUR_MS)
    openShop([], { inbox, wallets, orders: killed.orders, clock, verifyOnChain: proof })
    await clock.advance(1000)
    expect(proof.looks).toBe(1)
    expect(await inbox.tasks.listDead({ limit: 1 })).toEqual([])
    await clock.advance(2000)
    expect(proof.looks).toBe(2)
    expect(await inbox.tasks.listDead({ limit: 1 })).toHaveLength(1)
  })

  it('S54 is attempted once more when the last attempt began before the deadline', async () => {
    const startedMs: number[] = []
    const shop = openShop([order()], {
      wallets,
      verifyOnChain: {
        deadlineMs: 8000,
        verify: async () => {
          startedMs.push(shop.clock.nowMs() - startMs)
          await new Promise<void>((resolve) => shop.clock.setTimer(resolve, 4000))
          return UNSEEN
        },
      },
    })
    const startMs = shop.clock.nowMs()
    expect(await shop.decide(report)).toBe('verifying')
    await shop.clock.advance(60_000)
    expect(startedMs).toEqual([0, 6000, 10_000])
    expect(await shop.inbox.tasks.listDead({ limit: 1 })).toHaveLength(1)
  })
})
