import { memoryInbox } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
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
  const shop = openShop([order()], {
    inbox,
    recipients,
    verifyOnChain: proof,
    retentionMs: 2 * DAY_MS,
  })
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
    await shop.clock.advance(4 * DAY_MS)
    await shop.replay()
    expect(await shop.inbox.listDead({ limit: 1 })).toEqual([])
    expect(shop.shipped).toEqual(['order-1'])
    // Both are done with now.
    await shop.clock.advance(HOUR_MS)
    expect(await shop.inbox.find('delivery-1')).toBe(null)
  })
})
