import { memoryInbox, type DecisionOf } from '@tonplug/core'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type ShopOptions } from '../shop.js'
import { HOUR_MS, scriptedProof, UNSEEN } from './scripted-proof.js'

const report = transferCompleted()
const wallets = [report.data.recipientAddr]

/** Opens a shop, and closes it while the proof of a payment is pending. */
async function openWaiting() {
  const clock = createFakeClock()
  const inbox = { ...memoryInbox({ clock }), isDurable: true }
  const verifyOnChain = scriptedProof(UNSEEN)
  const before = openShop([order()], { inbox, clock, wallets, verifyOnChain })
  expect(await before.decide(report)).toBe('verifying')
  await before.settle()
  await before.close()
  const { orders, shipped } = before
  const unverified: DecisionOf<'unverified'>[] = []
  const open = (options: ShopOptions) =>
    openShop([], {
      inbox,
      orders,
      clock,
      wallets,
      onPaid: (event) => void shipped.push(event.order.reference),
      onUnverified: ({ decision }) => void unverified.push(decision),
      ...options,
    })
  return { inbox, orders, shipped, unverified, clock, open }
}

describe('a proof that was disabled', () => {
  it('leaves pending reports unverified after an hour, and pays nothing', async () => {
    const { inbox, orders, shipped, unverified, clock, open } = await openWaiting()
    const off = open({})
    // Another process may still have it.
    await clock.advance(HOUR_MS - 60_000)
    expect([await inbox.tasks.listDead({ limit: 1 }), unverified]).toEqual([[], []])
    await clock.advance(120_000)
    const reason = 'not_asked'
    const detail = 'verifyOnChain was disabled; decide the report again when it is enabled'
    expect(unverified).toMatchObject([{ kind: 'unverified', reason, detail }])
    expect(await inbox.tasks.listDead({ limit: 2 })).toMatchObject([
      { handler: 'verifyOnChain', error: `${reason}: ${detail}` },
    ])
    expect(off.logger.lines).toContainEqual({
      level: 'warn',
      message: 'report decided: unverified',
      fields: expect.objectContaining({ reason, detail }),
    })
    await inbox.tasks.replayWhere({})
    await clock.advance(3 * HOUR_MS)
    expect(await inbox.tasks.listDead({ limit: 2 })).toHaveLength(1)
    expect(unverified).toHaveLength(1)
    expect(shipped).toEqual([])
    expect(orders.all()[0]?.status).toBe('pending')

    await off.close()
    open({ verifyOnChain: scriptedProof() })
    await inbox.tasks.replayWhere({})
    // The former policy is pinned for 30 seconds.
    await clock.advance(40_000)
    expect(await inbox.tasks.listDead({ limit: 1 })).toEqual([])
    expect(shipped).toEqual(['order-1'])
  })

  it('is completed by a process that still has it, during a deploy that disables it', async () => {
    const { inbox, shipped, unverified, clock, open } = await openWaiting()
    open({})
    const proof = scriptedProof(UNSEEN, 10 * HOUR_MS)
    open({ verifyOnChain: proof })
    await clock.advance(4 * HOUR_MS)
    expect([await inbox.tasks.listDead({ limit: 1 }), unverified]).toEqual([[], []])
    proof.verdict = undefined
    await clock.advance(HOUR_MS / 10)
    expect(shipped).toEqual(['order-1'])
  })

  it('is completed by the new processes of a deploy that enables it', async () => {
    const clock = createFakeClock()
    const inbox = { ...memoryInbox({ clock }), isDurable: true }
    const shared = { inbox, clock, wallets }
    const former = openShop([], shared)
    await clock.advance(1000)
    const next = openShop([order()], { ...shared, verifyOnChain: scriptedProof() })
    expect(await next.decide(report)).toBe('verifying')
    await clock.advance(60_000)
    await former.close()
    await clock.advance(HOUR_MS / 10)
    expect(next.shipped).toEqual(['order-1'])
  })
})
