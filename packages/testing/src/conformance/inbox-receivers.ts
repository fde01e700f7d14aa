import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox.js'
import { LEASE_MS, makePaid, makeTasks, makeUnmatched, NOW_MS, storeNew } from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

const OTHER = 'other'
const DUE_MS = NOW_MS + 30_000
const claim = { nowMs: DUE_MS, retryAtMs: LEASE_MS, limit: 10 }
const run = { handlers: ['onPaid'], nowMs: DUE_MS, leaseUntilMs: LEASE_MS, limit: 10 }

/** What one receiver stored is handed to no other that shares the inbox. */
export function describeReceivers({ makeHarness, runner }: Suite<InboxHarness>): void {
  const { describe, it } = runner
  describe('receivers that share an inbox', () => {
    it('S60 claim their own deliveries', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox, { receiver: OTHER })
        assert.deepEqual(await inbox.claimDeliveries({ receiver: 'default', ...claim }), [])
        const [own] = await inbox.claimDeliveries({ receiver: OTHER, ...claim })
        assert.equal(own?.id, id)
        assert.equal(own?.receiver, OTHER)
      }))
    it('S60 claim their own tasks', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox, { receiver: OTHER })
        await inbox.decide(id, { decision: makePaid(), tasks: makeTasks('key') })
        assert.deepEqual(await inbox.claimTasks({ receiver: 'default', ...run }), [])
        assert.equal((await inbox.claimTasks({ receiver: OTHER, ...run })).length, 1)
      }))
    it('S60 match their own references', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id, reference } = await storeNew(inbox, { receiver: OTHER })
        await inbox.decide(id, { decision: makeUnmatched(), tasks: [], retryAtMs: LEASE_MS })
        assert.equal(await inbox.matchReference({ receiver: 'default', reference }), 0)
        assert.equal(await inbox.matchReference({ receiver: OTHER, reference }), 1)
      }))
    it('S60 are due at their own times', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        await storeNew(inbox, { receiver: OTHER })
        const { handlers } = run
        assert.equal(await inbox.nextDueMs({ receiver: 'default', handlers }), undefined)
        assert.equal(await inbox.nextDueMs({ receiver: OTHER, handlers }), DUE_MS)
      }))
  })
  describe('one reference', () => {
    it('is claimed alone', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox, { key: 'key-1', reference: 'order-1' })
        await storeNew(inbox, { key: 'key-2', reference: 'order-2' })
        const query = { receiver: 'default', reference: 'order-1', ...claim }
        const claimed = await inbox.claimDeliveries(query)
        assert.deepEqual(
          claimed.map((delivery) => delivery.id),
          [id],
        )
      }))
  })
  describe('postpone', () => {
    it('puts off a delivery that could not be decided', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox)
        await inbox.postpone(id, DUE_MS + 1)
        assert.deepEqual(await inbox.claimDeliveries({ receiver: 'default', ...claim }), [])
        const later = { ...claim, receiver: 'default', nowMs: DUE_MS + 1 }
        assert.equal((await inbox.claimDeliveries(later)).length, 1)
      }))
    it('leaves a delivery that was decided meanwhile', () =>
      withHarness(makeHarness, async ({ inbox }) => {
        const { id } = await storeNew(inbox)
        await inbox.decide(id, { decision: makePaid(), tasks: [] })
        await inbox.postpone(id, NOW_MS)
        assert.deepEqual(await inbox.claimDeliveries({ receiver: 'default', ...claim }), [])
        await inbox.postpone('999999999', NOW_MS)
      }))
  })
}
