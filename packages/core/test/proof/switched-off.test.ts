import { memoryInbox, type UnverifiedDecision, type WebhookReceiverOptions } from '@tonplug/core'
import { createManualClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'
import { HOUR_MS, scriptedProof, UNSEEN } from './scripted-proof.js'

const told = transferCompleted()
const recipients = [told.data.recipientAddr]

/** A shop that was closed while a payment was to be proven, and opens again. */
async function openWaiting() {
  const inbox = memoryInbox()
  const verifyOnChain = scriptedProof(UNSEEN)
  const before = openShop([order()], { inbox, recipients, verifyOnChain })
  expect(await before.decide(told)).toBe('verifying')
  await before.settle()
  await before.receiver.close()
  const { orders, shipped } = before
  const clock = createManualClock({ startMs: before.clock.nowMs() })
  const unverified: UnverifiedDecision[] = []
  const open = (options: Partial<WebhookReceiverOptions>) =>
    openShop([], {
      inbox,
      orders,
      clock,
      recipients,
      onPaid: (event) => void shipped.push(event.order.reference),
      onUnverified: ({ decision }) => void unverified.push(decision),
      ...options,
    })
  return { inbox, orders, shipped, unverified, clock, open }
}

describe('a proof that was switched off', () => {
  it('leaves what waits for it to somebody, once, and pays nothing on its own', async () => {
    const { inbox, orders, shipped, unverified, clock, open } = await openWaiting()
    const off = open({})
    // Others may have it still, or already.
    await clock.advance(HOUR_MS - 60_000)
    expect([await inbox.listDead({ limit: 1 }), unverified]).toEqual([[], []])
    await clock.advance(120_000)
    const reason = 'not_asked'
    const detail = 'verifyOnChain was switched off; replay it when it is on again'
    expect(unverified).toMatchObject([{ kind: 'unverified', reason, detail }])
    expect(await inbox.listDead({ limit: 2 })).toMatchObject([
      { handler: 'verifyOnChain', error: `${reason}: ${detail}` },
    ])
    expect(off.logger.lines).toContainEqual({
      level: 'error',
      message: 'a handler used up its attempts and is a dead letter',
      fields: expect.objectContaining({ handler: 'verifyOnChain', reason: `${reason}: ${detail}` }),
    })
    await inbox.replayWhere({})
    await clock.advance(3 * HOUR_MS)
    expect(await inbox.listDead({ limit: 2 })).toHaveLength(1)
    expect(unverified).toHaveLength(1)
    expect(shipped).toEqual([])
    expect(orders.all()[0]?.status).toBe('pending')

    await off.receiver.close()
    open({ verifyOnChain: scriptedProof() })
    await inbox.replayWhere({})
    await clock.advance(5000)
    expect(await inbox.listDead({ limit: 1 })).toEqual([])
    expect(shipped).toEqual(['order-1'])
  })

  it('goes on where another server has it: a deploy switches it for one after the other', async () => {
    const { inbox, shipped, unverified, clock, open } = await openWaiting()
    open({})
    const proof = scriptedProof(UNSEEN, 10 * HOUR_MS)
    open({ verifyOnChain: proof })
    await clock.advance(4 * HOUR_MS)
    expect([await inbox.listDead({ limit: 1 }), unverified]).toEqual([[], []])
    proof.verdict = undefined
    await clock.advance(HOUR_MS / 10)
    expect(shipped).toEqual(['order-1'])
  })
})
