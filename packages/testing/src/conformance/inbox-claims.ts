import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import type { InboxHarness } from './inbox.js'
import {
  assertDecision,
  claimDeliveries,
  findDelivery,
  LEASE_MS,
  makePaid,
  makeUnmatched,
  NOW_MS,
  RECEIVER,
  storeNew,
} from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

const DUE_MS = NOW_MS + 30_000

/** claimDeliveries and matchReference: what the sweep finds. */
export function describeClaimDeliveries(suite: Suite<InboxHarness>): void {
  suite.runner.describe('claimDeliveries', () => {
    describeDue(suite)
    describeSharing(suite)
  })
  suite.runner.describe('matchReference', () => describeMatching(suite))
}

function describeDue({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S45 claims an undecided delivery from its time on, and puts it off', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const stored = await storeNew(inbox)
      assert.deepEqual(await claimDeliveries(inbox, { nowMs: DUE_MS - 1 }), [])
      const claimed = await claimDeliveries(inbox, { nowMs: DUE_MS })
      assert.deepEqual(claimed, [{ ...stored, attempts: 1 }])
      assert.deepEqual(await claimDeliveries(inbox, { nowMs: LEASE_MS - 1 }), [])
      const again = await claimDeliveries(inbox, { nowMs: LEASE_MS })
      assert.deepEqual(again, [{ ...stored, attempts: 2 }])
      assert.equal((await findDelivery(inbox, stored.id)).attempts, 2)
    }))
  it('S56 claims a parked delivery at the time that its decision gave', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await park(inbox, id, NOW_MS + 5000)
      assert.deepEqual(await claimDeliveries(inbox, { nowMs: NOW_MS + 4999 }), [])
      const [claimed] = await claimDeliveries(inbox, { nowMs: NOW_MS + 5000 })
      assert.deepEqual([claimed?.id, claimed?.state, claimed?.attempts], [id, 'parked', 1])
      assertDecision(claimed?.decision, makeUnmatched())
    }))
  it('never claims what is decided', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const decided = await storeNew(inbox)
      await inbox.decide(decided.id, { decision: makePaid(), tasks: [] })
      const parked = await storeNew(inbox, { key: 'key-2' })
      await park(inbox, parked.id, NOW_MS)
      await inbox.decide(parked.id, { decision: makePaid(), tasks: [] })
      assert.deepEqual(await claimDeliveries(inbox, { nowMs: LEASE_MS }), [])
    }))
}

function describeSharing({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('claims no more than the limit, and the others next', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const ids = await storeMany(inbox, 5)
      const sizes: number[] = []
      const claimed: string[] = []
      for (let round = 0; round < 3; round++) {
        const part = await claimDeliveries(inbox, { nowMs: DUE_MS, limit: 2 })
        sizes.push(part.length)
        claimed.push(...part.map(({ id }) => id))
      }
      assert.deepEqual(sizes, [2, 2, 1])
      assert.deepEqual(claimed.sort(), ids.sort())
    }))
  it('S39 gives each delivery to one of several claims at once', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const ids = await storeMany(inbox, 10)
      const parts = await Promise.all(
        Array.from({ length: 20 }, () => claimDeliveries(inbox, { nowMs: DUE_MS, limit: 3 })),
      )
      const claimed = parts.flat().map(({ id }) => id)
      assert.equal(new Set(claimed).size, claimed.length, 'none is claimed twice')
      const rest = await claimDeliveries(inbox, { nowMs: DUE_MS })
      assert.deepEqual([...claimed, ...rest.map(({ id }) => id)].sort(), ids.sort())
    }))
}

function describeMatching({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('S56 makes the parked deliveries of the reference due at once', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const ids: string[] = []
      for (const [key, reference] of [
        ['1', 'order-1'],
        ['2', 'order-1'],
        ['3', 'order-2'],
      ] as const) {
        const { id } = await storeNew(inbox, { key, reference })
        await park(inbox, id, LEASE_MS)
        ids.push(id)
      }
      assert.equal(await inbox.matchReference({ receiver: RECEIVER, reference: 'order-1' }), 2)
      const claimed = await claimDeliveries(inbox, { nowMs: NOW_MS })
      assert.deepEqual(claimed.map(({ id }) => id).sort(), ids.slice(0, 2).sort())
    }))
  it('S56 keeps due what is matched while somebody decides that it is unmatched', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      const { id } = await storeNew(inbox)
      await park(inbox, id, NOW_MS)
      assert.equal((await claimDeliveries(inbox, { nowMs: NOW_MS })).length, 1)
      // The order was not there when whoever claimed it looked; it is now.
      await inbox.matchReference({ receiver: RECEIVER, reference: 'order-1' })
      await park(inbox, id, NOW_MS + 3_600_000)
      assert.equal((await claimDeliveries(inbox, { nowMs: NOW_MS })).length, 1)
      await park(inbox, id, NOW_MS + 3_600_000)
      assert.deepEqual(await claimDeliveries(inbox, { nowMs: NOW_MS + 3_599_999 }), [])
    }))
  it('leaves alone what is undecided or decided, and counts neither', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox)
      const decided = await storeNew(inbox, { key: 'key-2' })
      await inbox.decide(decided.id, { decision: makePaid(), tasks: [] })
      assert.equal(await inbox.matchReference({ receiver: RECEIVER, reference: 'order-1' }), 0)
      assert.equal(await inbox.matchReference({ receiver: RECEIVER, reference: 'unknown' }), 0)
      assert.deepEqual(await claimDeliveries(inbox, { nowMs: NOW_MS }), [])
    }))
}

async function park(inbox: Inbox, id: string, retryAtMs: number): Promise<void> {
  await inbox.decide(id, { decision: makeUnmatched(), tasks: [], retryAtMs })
}

async function storeMany(inbox: Inbox, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    ids.push((await storeNew(inbox, { key: `key-${index}` })).id)
  }
  return ids
}
