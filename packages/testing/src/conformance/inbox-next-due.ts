import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox.js'
import {
  claimDeliveries,
  claimOne,
  claimTwo,
  decideWithTasks,
  findNextDue,
  LEASE_MS,
  makePaid,
  makeUnmatched,
  NOW_MS,
  storeNew,
} from './inbox-fixtures.js'
import { type Suite, withHarness } from './runner.js'

/** nextDueMs: when there is something to claim. */
export function describeNextDue(suite: Suite<InboxHarness>): void {
  suite.runner.describe('nextDueMs', () => {
    describeDeliveries(suite)
    describeTasks(suite)
  })
}

function describeDeliveries({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('is undefined when there is nothing to do', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      assert.equal(await findNextDue(inbox), undefined)
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: makePaid(), tasks: [] })
      assert.equal(await findNextDue(inbox), undefined)
    }))
  it('is the time of the earliest delivery that is not decided', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox, { key: 'key-1', retryAtMs: NOW_MS + 3000 })
      const earlier = await storeNew(inbox, { key: 'key-2', retryAtMs: NOW_MS + 2000 })
      assert.equal(await findNextDue(inbox), NOW_MS + 2000)
      const parked = { decision: makeUnmatched(), tasks: [], retryAtMs: NOW_MS + 1000 }
      await inbox.decide(earlier.id, parked)
      assert.equal(await findNextDue(inbox), NOW_MS + 1000)
      await inbox.decide(earlier.id, { decision: makePaid(), tasks: [] })
      assert.equal(await findNextDue(inbox), NOW_MS + 3000)
    }))
  it('is the time to which a claim put a delivery off', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await storeNew(inbox, { retryAtMs: NOW_MS })
      assert.equal((await claimDeliveries(inbox)).length, 1)
      assert.equal(await findNextDue(inbox), LEASE_MS)
    }))
}

function describeTasks({ makeHarness, runner: { it } }: Suite<InboxHarness>): void {
  it('is no later than now for a task that is new', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      const nextDueMs = await findNextDue(inbox)
      assert.ok(nextDueMs !== undefined && nextDueMs <= NOW_MS, `it is ${nextDueMs}`)
    }))
  it('is the end of a lease, then the time to try again, then nothing', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a', 'b')
      const [first, second] = await claimTwo(inbox)
      assert.equal(await findNextDue(inbox), LEASE_MS)
      const retryAtMs = NOW_MS + 500
      await inbox.finishTask(first, { kind: 'retry', retryAtMs, error: 'busy' })
      assert.equal(await findNextDue(inbox), retryAtMs)
      await inbox.finishTask(second, { kind: 'done' })
      await inbox.finishTask(await claimOne(inbox, { nowMs: retryAtMs }), {
        kind: 'dead',
        error: 'no',
      })
      assert.equal(await findNextDue(inbox), undefined)
    }))
  it('does not look at tasks of other handlers', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      assert.equal(await findNextDue(inbox, []), undefined)
      assert.equal(await findNextDue(inbox, ['onPaid.ship']), undefined)
      await storeNew(inbox, { retryAtMs: LEASE_MS })
      assert.equal(await findNextDue(inbox, ['onPaid.ship']), LEASE_MS)
    }))
  it('is the earliest of deliveries and tasks', () =>
    withHarness(makeHarness, async ({ inbox }) => {
      await decideWithTasks(inbox, 'a')
      await claimOne(inbox)
      await storeNew(inbox, { retryAtMs: LEASE_MS - 1 })
      assert.equal(await findNextDue(inbox), LEASE_MS - 1)
    }))
}
